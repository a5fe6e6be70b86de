// tine-test: program max-runs=900 verdict=incomplete reason="runs"
// How often the loop goes round is said by no comparison of an input with a number: one round after the other would take three
// thousand runs. The numbers that the program compares with are tried for inputs.
#include <stdlib.h>
#include <tine.h>

int main(void) {
    unsigned n = tine_uint("n");
    int key = tine_int("key");
    unsigned rounds = 0;
    while (rounds < n)
        rounds++;
    if (rounds == 3000 && key == 4711) //~ COVERED
        abort(); //~ ERROR abort
}
