/* The beginning of every generated program. Arithmetic is unsigned, so that programs have no errors. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;

extern void __tine_input(void *, unsigned long, const char *, unsigned);

static u64 rotated(u64 x, unsigned by) { return x << (by & 63) | x >> (-by & 63); }
