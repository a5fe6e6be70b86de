/* Functions of the library, for cases without a model. Symbolic values become concrete there, which is counted. */

#define LIBRARY(name) __asm__("\01" #name)

/* The model exists only if the library has the function, too, because build systems test for it by linking. */
#define ONLY_WITH_LIBRARY(name)                                                                                        \
    void library_##name(void) LIBRARY(name);                                                                           \
    static void (*const has_##name)(void) __attribute__((__used__)) = library_##name;
