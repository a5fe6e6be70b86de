#include "listing.h"

void library_rewinddir(DIR *folder) LIBRARY(rewinddir);

void rewinddir(DIR *folder) {
    forget_listing(folder);
    library_rewinddir(folder);
}
