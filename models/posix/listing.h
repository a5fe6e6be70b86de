/* Listings of directories: files that are inputs come last, unless real files have their names. */
#define _GNU_SOURCE
#include <dirent.h>

#include "files.h"

/* The directory's entry in the list; a new one, if there is room. */
static inline struct __tine_listing *listing_of(DIR *folder) {
    struct __tine_listing *free = NULL;
    for (unsigned i = 0; i < MAX_LISTINGS; i++) {
        struct __tine_listing *listing = &__tine_files.listings[i];
        if (listing->folder == folder)
            return listing;
        if (!listing->folder && !free)
            free = listing;
    }
    if (free)
        *free = (struct __tine_listing){folder, 0};
    return free;
}

static inline void forget_listing(DIR *folder) {
    for (unsigned i = 0; i < MAX_LISTINGS; i++)
        if (__tine_files.listings[i].folder == folder)
            __tine_files.listings[i].folder = NULL;
}

/* Returns an entry of the system. Input files of the same name are not listed again. */
static inline struct dirent *listed(DIR *folder, struct dirent *entry) {
    for (unsigned i = 0; i < __tine_files.n_files; i++) {
        struct __tine_file *file = &__tine_files.files[i];
        struct __tine_listing *listing = file->name && !strcmp(file->base, entry->d_name) ? listing_of(folder) : NULL;
        if (listing)
            listing->listed |= 1u << i;
    }
    return entry;
}

/* The next input file of this directory; NULL if there is none. */
static inline struct dirent *next_input(DIR *folder) {
    static struct dirent entry;
    struct stat found = {0};
    struct __tine_listing *listing = __tine_files.n_files ? listing_of(folder) : NULL;
    if (!listing || library_fstat(dirfd(folder), &found) != 0)
        return NULL;
    for (unsigned i = 0; i < __tine_files.n_files; i++) {
        struct __tine_file *file = &__tine_files.files[i];
        int is_here = file->name && file->has_folder && file->device == found.st_dev && file->folder == found.st_ino;
        if (!is_here || file->replaced || listing->listed & 1u << i || strlen(file->base) >= sizeof entry.d_name)
            continue;
        listing->listed |= 1u << i;
        entry.d_ino = INODE_OF(file);
        entry.d_off = i;
        entry.d_reclen = sizeof entry;
        entry.d_type = DT_REG;
        strcpy(entry.d_name, file->base);
        return &entry;
    }
    return NULL;
}
