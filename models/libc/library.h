/* Functions of the library itself, where a model has nothing better. What depends on inputs is lost in them, and counted. */

#define LIBRARY(name) __asm__("\01" #name)

/* The model is there only if the library has the function, too: build systems ask by linking. */
#define ONLY_WITH_LIBRARY(name)                                                                                        \
    void library_##name(void) LIBRARY(name);                                                                           \
    static void (*const has_##name)(void) __attribute__((__used__)) = library_##name;
