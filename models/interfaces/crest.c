/* The functions that CREST's macros call, for programs that were preprocessed with CREST's own header. With
 * `compat/crest.h` the inputs have the names of their variables; here only their types are known. */
#include <tine.h>

#define CREST(function, type, name, kind)                              \
    void function(type *x);                                            \
    __attribute__((__weak__)) void function(type *x) {                 \
        __tine_input(x, sizeof *x, name, kind);                        \
    }

CREST(__CrestUChar, unsigned char, "unsigned char", __TINE_UNSIGNED)
CREST(__CrestUShort, unsigned short, "unsigned short", __TINE_UNSIGNED)
CREST(__CrestUInt, unsigned int, "unsigned int", __TINE_UNSIGNED)
CREST(__CrestChar, char, "char", __TINE_CHAR)
CREST(__CrestShort, short, "short", __TINE_SIGNED)
CREST(__CrestInt, int, "int", __TINE_SIGNED)

/* Functions of CREST's descendants. */
CREST(__CrestULong, unsigned long, "unsigned long", __TINE_UNSIGNED)
CREST(__CrestULongLong, unsigned long long, "unsigned long long", __TINE_UNSIGNED)
CREST(__CrestLong, long, "long", __TINE_SIGNED)
CREST(__CrestLongLong, long long, "long long", __TINE_SIGNED)
CREST(__CrestFloat, float, "float", __TINE_FLOAT)
CREST(__CrestDouble, double, "double", __TINE_FLOAT)
