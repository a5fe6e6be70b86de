// tine-test: fn=value_of exit=1
// A search that finds nothing, and a caller that does not ask.
#include <stddef.h>

struct item {
    int key, value;
};

static struct item items[3] = {{5, 50}, {6, 60}, {-7, 70}};

static struct item *find(int key) {
    for (int i = 0; i < 3; i++)
        if (items[i].key == key)            //~ COVERED
            return &items[i];
    return NULL;
}

int value_of(int key) {
    return find(key)->value;                //~ ERROR null pointer dereference
}
