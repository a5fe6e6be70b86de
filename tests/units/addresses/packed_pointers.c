// tine-test: fn=packed_pointers verdict=incomplete reason="address depends on the input"
// Every other pointer lies at no multiple of its size, where nothing looks for pointers. One that is read and was not found says so: what it
// leads to is not an invalid access.
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) entry {
    int tag;
    char *text;
};

int packed_pointers(unsigned k, unsigned j) {
    static const char words[4][8] = {"one", "two", "three", "four"};
    struct entry table[4];
    for (int i = 0; i < 4; i++) {
        table[i].tag = i;
        table[i].text = strdup(words[i]);
    }
    if (k >= 4 || j >= 4) //~ COVERED
        return 0;
    return table[k].text[j];
}
