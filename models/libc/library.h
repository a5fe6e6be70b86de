/* Functions of the library itself, where a model has nothing better. What depends on inputs is lost in them, and counted. */

#define LIBRARY(name) __asm__("\01" #name)
