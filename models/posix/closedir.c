#include "listing.h"

int library_closedir(DIR *folder) LIBRARY(closedir);

int closedir(DIR *folder) {
    forget_listing(folder);
    return library_closedir(folder);
}
