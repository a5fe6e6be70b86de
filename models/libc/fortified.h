/* Functions with a parameter for the size of the buffer. */

/* The library's function: prints a message and aborts. */
void __chk_fail(void) __attribute__((__noreturn__));

#define CHECK(room, needed) ((room) < (needed) ? __chk_fail() : (void)0)
