#include <stdlib.h>

#include "freeing.h"
#include "library.h"

void library_free(void *memory) LIBRARY(free);

/* Called through a pointer, too, it is known to read nothing. */
void free(void *memory) { library_free(given_up(memory)); }
