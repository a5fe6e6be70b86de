#include <stdlib.h>

#include "freeing.h"
#include "library.h"

void library_free(void *memory) LIBRARY(free);

/* Also for calls through a pointer, so that it is known to read nothing. */
void free(void *memory) { library_free(given_up(memory)); }
