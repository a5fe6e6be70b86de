#include "listing.h"

struct dirent *library_readdir(DIR *folder) LIBRARY(readdir);

struct dirent *readdir(DIR *folder) {
    struct dirent *entry = library_readdir(folder);
    return entry ? listed(folder, entry) : next_input(folder);
}
