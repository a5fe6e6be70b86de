#include <string.h>

#include "wide.h"

wctype_t wctype(const char *name) {
    for (unsigned k = 0; k < sizeof CLASSES / sizeof *CLASSES; k++)
        if (strcmp(name, CLASSES[k].name) == 0)
            return library_wctype(CLASSES[k].name);
    return 0;
}
