// tine-test: fn=pair
// CWE-835: a walk through a list that has a cycle. The twin walks with two speeds.
struct node {
    struct node *next;
};

int bad(int k) {
    struct node b = {0}, a = {&b};
    b.next = k == 16 ? &a : 0;
    int n = 0;
    for (struct node *p = &a; p; p = p->next) //~ ERROR endless loop
        n ^= 1;
    return n;
}

int good(int k) {
    struct node b = {0}, a = {&b}, *slow = &a, *fast = &a;
    b.next = k == 16 ? &a : 0;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 1;
    }
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
