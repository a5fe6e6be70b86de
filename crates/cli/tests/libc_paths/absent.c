/* Functions that not every library has, so that a program that calls their models can be linked. Compiled natively; nobody calls them. */
#define ABSENT(name) \
    void name(void) { __builtin_trap(); }

ABSENT(__isoc23_strtoimax)
ABSENT(__isoc23_strtol)
ABSENT(__isoc23_strtoll)
ABSENT(__isoc23_strtoul)
ABSENT(__isoc23_strtoull)
ABSENT(__isoc23_strtoumax)
ABSENT(strlcat)
ABSENT(strlcpy)
