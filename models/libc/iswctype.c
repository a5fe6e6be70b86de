#include "wide.h"

int iswctype(wint_t c, wctype_t class) {
    for (unsigned k = 0; k < sizeof CLASSES / sizeof *CLASSES; k++)
        if (class && class == library_wctype(CLASSES[k].name))
            return CLASSES[k].contains(c);
    return 0;
}
