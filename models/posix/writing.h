/* Calls that write. Writing to files and to standard output may fail because an input says so (`--sym-fail`).
 * Everything else is left to the library. Its result depends on the number of bytes, not on their values or address, so
 * no shadow is lost. */
#include "files.h"

/* The value, without its shadow. */
unsigned long __tine_plain(unsigned long value);

/* Called before bytes leave the program. */
void __tine_leaving(const void *from, unsigned long size);

static inline const void *plain(const void *from) { return (const void *)__tine_plain((unsigned long)from); }

/* Memory has no device that could be full. The loss of a message on standard error is not reported. */
static inline int stream_write_fails(FILE *handle) {
    if (!__tine_failing.left || handle == stderr)
        return 0;
    int before = errno, is_file = library_fileno(handle) >= 0;
    errno = before;
    return is_file && stream_fails(handle, WRITE, ENOSPC);
}
