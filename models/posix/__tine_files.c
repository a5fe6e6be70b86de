/* There is one in a program with all its libraries. */
#include <tine.h>

#include "files.h"

/* Number of an `InputKind` in tine's trace format, and what leaves an input zero at first whatever the seed. */
#define CONTENTS 13
#define ZERO_FILL 256

struct __tine_files __tine_files;

void __tine_ask(void) {
    for (unsigned i = 0; i < __tine_files.n_files; i++) {
        struct __tine_file *file = &__tine_files.files[i];
        if (file->asked)
            continue;
        file->asked = 1;
        /* The size, then the bytes: one request, so that a file is one input. */
        unsigned char *request = (unsigned char *)file->bytes - sizeof(unsigned);
        __tine_input(request, sizeof(unsigned) + file->capacity, file->shown, CONTENTS | ZERO_FILL);
        memcpy(&file->size, request, sizeof file->size);
        if (file->size > file->capacity)
            __tine_reject();
    }
}
