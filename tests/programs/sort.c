// tine-test: fn=sorted
// Insertion sort, and its check.
static void sort(int *list, int n) {
    for (int i = 1; i < n; i++) {
        int moved = list[i], j = i;
        while (j > 0 && list[j - 1] > moved) {
            list[j] = list[j - 1];
            j--;
        }
        list[j] = moved;
    }
}

int sorted(int a, int b, int c) {
    int list[] = {a, b, c};
    sort(list, 3);
    return list[0] <= list[1] && list[1] <= list[2] && list[0] != list[2];
}
