// tine-test: fn=f
// Arrays of variable length, filled by rows.
#include <string.h>

int f(unsigned char k) {
    int n = k % 4 + 1;
    int grid[n][3];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            grid[i][j] = i * j;
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (grid[i][2] == 4)
            sum++;
    char text[n + 1];
    memset(text, 'x', (size_t)n);
    text[n] = 0;
    return sum + (strlen(text) == 4);
}
