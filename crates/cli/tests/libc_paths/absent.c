/* Functions that not every library has: programs that call their models need them to link. They are not called. */
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
