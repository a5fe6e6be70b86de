/* There is one in a program with all its libraries. */
#include "files.h"

struct __tine_files __tine_files;
