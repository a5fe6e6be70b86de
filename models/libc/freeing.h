/* Memory that is freed: the object can depend on inputs. */

unsigned __tine_depends(const void *at, unsigned long size);
unsigned __tine_freeing(void *const *pointer);
unsigned long __tine_plain(unsigned long value);

/* The pointer, which no longer depends on inputs once its object has been decided. */
static inline void *given_up(void *memory) {
    if (!__tine_depends(&memory, sizeof memory) || !__tine_freeing(&memory))
        return memory;
    return (void *)__tine_plain((unsigned long)memory);
}
