/* Effects of failing calls in a program: each kind once, identified by the exit code. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char bytes[4];
    int descriptor = open("input", O_RDONLY);
    if (descriptor < 0)
        return errno == EACCES ? 1 : 100;
    if (read(descriptor, bytes, 2) < 0)
        return errno == EIO ? 2 : 100;
    if (close(descriptor))
        return 100;
    FILE *file = fopen("input", "r");
    if (!file)
        return errno == EACCES ? 3 : 100;
    if (fgetc(file) == EOF)
        return ferror(file) && errno == EIO ? 4 : 5;
    if (!fgets(bytes, sizeof bytes, file) && ferror(file))
        return feof(file) ? 100 : 6;
    if (ferror(file) || fclose(file))
        return 100;
    if (fputs("", stdout) == EOF || fwrite("x", 1, 0, stdout) || write(1, "x", 0))
        return 100;
    if (puts("written") == EOF)
        return ferror(stdout) && errno == ENOSPC ? 7 : 100;
    if (fputs("written", stdout) == EOF)
        return ferror(stdout) && errno == ENOSPC ? 8 : 100;
    if (fwrite("written", 1, 7, stdout) != 7)
        return ferror(stdout) && errno == ENOSPC ? 9 : 100;
    if (write(1, "written", 7) != 7)
        return errno == ENOSPC ? 10 : 100;
    if (fputs("text", stderr) == EOF || write(2, "text", 4) != 4)
        return 100;
    if (fflush(stdout))
        return ferror(stdout) && errno == ENOSPC ? 11 : 100;
    if (fclose(stdout))
        return errno == ENOSPC ? 12 : 100;
    return 0;
}
