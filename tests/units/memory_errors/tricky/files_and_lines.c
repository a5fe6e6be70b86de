// tine-test: fn=f
// Lines and directories read by the library.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int f(int k) {
    char *line = NULL;
    size_t room = 0;
    int r = 0;
    FILE *in = fopen("/proc/self/status", "r");
    if (in) {
        if (getline(&line, &room, in) > 0 && line[0] == 'N')
            r++;
        char word[32];
        if (fgets(word, sizeof word, in) && strlen(word) > 2)
            r++;
        unsigned char raw[16];
        size_t n = fread(raw, 1, sizeof raw, in);
        for (size_t i = 0; i < n; i++)
            if (raw[i] == '\n')
                r++;
        fclose(in);
    }
    free(line);
    DIR *d = opendir("/");
    if (d) {
        struct dirent *e = readdir(d);
        if (e && e->d_name[0] == k)
            r++;
        closedir(d);
    }
    return r >= 0;
}
