#include "listing.h"

struct dirent *library_readdir64(DIR *folder) LIBRARY(readdir64);

struct dirent64 *readdir64(DIR *folder) {
    struct dirent *entry = library_readdir64(folder);
    return (struct dirent64 *)(entry ? listed(folder, entry) : next_input(folder));
}
