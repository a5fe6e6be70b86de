// tine-test: program paths=1 exit=0
// Without inputs there is one path.
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += i;
    printf("%d\n", sum);
    return sum == 4950 ? 0 : 1;
}
