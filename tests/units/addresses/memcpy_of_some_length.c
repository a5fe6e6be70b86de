// tine-test: fn=memcpy_of_some_length
// A copy whose length only the run knows, to a place that an input chooses.
#include <string.h>
#include <tine.h>

static const char *const words[] = {"a", "bcd", "efghi"};

int memcpy_of_some_length(unsigned place, unsigned word) {
    char text[16] = "";
    const char *from = words[word % 3];
    memcpy(text + place % 10, from, strlen(from) + 1);
    if (text[7] == 'g')                                         //~ COVERED
        tine_assert(place % 10 == 6);                           //~ ERROR assertion failure
    tine_assert(text[7] != 'd' || place % 10 == 5);
    return 0;
}
