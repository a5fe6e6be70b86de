/* Memory that is given up: which object it is can depend on inputs. */

unsigned __tine_depends(const void *at, unsigned long size);
unsigned __tine_freeing(void *const *pointer);
unsigned long __tine_plain(unsigned long value);

/* The pointer, which depends on nothing any more once it was decided where it leads. */
static inline void *given_up(void *memory) {
    if (!__tine_depends(&memory, sizeof memory) || !__tine_freeing(&memory))
        return memory;
    return (void *)__tine_plain((unsigned long)memory);
}
