// tine-test: program paths=24
// Two sorting functions agree; every order of four numbers is a path.
#include <string.h>
#include <tine.h>

static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        for (; j > 0 && a[j - 1] > v; j--)      //~ COVERED
            a[j] = a[j - 1];
        a[j] = v;
    }
}

static void bubble(int *a, int n) {
    int done;
    do {
        done = 1;
        for (int i = 0; i + 1 < n; i++)
            if (a[i + 1] < a[i]) {              //~ COVERED
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                done = 0;
            }
    } while (!done);
}

int main(void) {
    int in[4], a[4], b[4];
    tine_symbolic(in, sizeof in, "in");
    memcpy(a, in, sizeof a);
    memcpy(b, in, sizeof b);
    insertion(a, 4);
    bubble(b, 4);
    for (int i = 0; i < 4; i++)
        tine_assert(a[i] == b[i]);
    return 0;
}
