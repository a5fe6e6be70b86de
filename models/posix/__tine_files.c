/* There is one instance in a program with all its libraries. */
#include "ask.h"

struct __tine_files __tine_files;

void __tine_ask(void) {
    for (unsigned i = 0; i < __tine_files.n_files; i++)
        ask_for(&__tine_files.files[i]);
}
