/* One decision with 65,000 sides: as many paths of one decision each, and every query is `input == k`. */
#include <tine.h>

int main(void) {
    return tine_choice(65000, "n") > 70000;
}
