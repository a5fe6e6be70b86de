#include "listing.h"

/* Implemented with `readdir`, which also lists files that are inputs. */
int scandir(const char *name, struct dirent ***entries, int (*wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
    DIR *folder = opendir(name);
    struct dirent **found = NULL, *entry;
    int n = 0, room = 0;
    if (!folder)
        return -1;
    while ((entry = readdir(folder))) {
        if (wanted && !wanted(entry))
            continue;
        if (n == room) {
            struct dirent **more = realloc(found, (room = room ? 2 * room : 16) * sizeof *found);
            if (!more)
                goto failed;
            found = more;
        }
        size_t size = offsetof(struct dirent, d_name) + strlen(entry->d_name) + 1;
        if (!(found[n] = malloc(size)))
            goto failed;
        memcpy(found[n++], entry, size);
    }
    closedir(folder);
    if (compare)
        qsort(found, n, sizeof *found, (int (*)(const void *, const void *))compare);
    *entries = found ? found : malloc(1);
    return n;
failed:
    while (n > 0)
        free(found[--n]);
    free(found);
    closedir(folder);
    return fails(ENOMEM);
}
