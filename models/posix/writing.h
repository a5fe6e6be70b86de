/* Calls that write: to files and to standard output they may fail because an input says so (`--sym-fail`). All else is the
 * library's business. What it returns depends on how much it is to write, not on what or from where, so nothing is lost
 * in it. */
#include "files.h"

/* The value, without what is known of it. */
unsigned long __tine_plain(unsigned long value);

/* Bytes are about to leave the program. */
void __tine_leaving(const void *from, unsigned long size);

static inline const void *plain(const void *from) { return (const void *)__tine_plain((unsigned long)from); }

int library_fileno(FILE *handle) LIBRARY(fileno);

/* Memory has no device that could be full; that a message was lost is not reported. */
static inline int stream_write_fails(FILE *handle) {
    if (!__tine_failing.left || handle == stderr)
        return 0;
    int before = errno, is_file = library_fileno(handle) >= 0;
    errno = before;
    return is_file && stream_fails(handle, WRITE, ENOSPC);
}
