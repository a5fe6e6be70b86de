/* Makes a file an input at the first access to it. */
#include <tine.h>

#include "files.h"

/* Number of an `InputKind` in tine's trace format, and the flag for an input that is zero at first for any seed. */
#define CONTENTS 13
#define ZERO_FILL 256

static inline void ask_for(struct __tine_file *file) {
    if (file->asked)
        return;
    file->asked = 1;
    /* The size, then the bytes, in one request, so that a file is one input. */
    unsigned char *request = (unsigned char *)file->bytes - sizeof(unsigned);
    __tine_input(request, sizeof(unsigned) + file->capacity, file->shown, CONTENTS | ZERO_FILL);
    memcpy(&file->size, request, sizeof file->size);
    if (file->size > file->capacity)
        __tine_reject();
}
