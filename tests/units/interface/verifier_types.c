// tine-test: program paths=15
// Every type of the Test-Comp rules.
extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern __SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
extern void *__VERIFIER_nondet_pointer(void);
extern __int128 __VERIFIER_nondet_int128(void);
extern void __VERIFIER_nondet_memory(void *, __SIZE_TYPE__);
extern void reach_error(void);

int main(void) {
    if (__VERIFIER_nondet_char() != 'v')                    //~ COVERED
        return 1;
    if (__VERIFIER_nondet_short() != -2)                    //~ COVERED
        return 2;
    if (__VERIFIER_nondet_ushort() != 50000)                //~ COVERED
        return 3;
    if (__VERIFIER_nondet_uint() != 3000000000u)            //~ COVERED
        return 4;
    if (__VERIFIER_nondet_long() != -(1L << 40))            //~ COVERED
        return 5;
    if (__VERIFIER_nondet_ulong() != ~0UL)                  //~ COVERED
        return 6;
    if (__VERIFIER_nondet_longlong() != 7)                  //~ COVERED
        return 7;
    if (__VERIFIER_nondet_ulonglong() != 8)                 //~ COVERED
        return 8;
    if (__VERIFIER_nondet_float() != 9.5f)                  //~ COVERED
        return 9;
    if (__VERIFIER_nondet_double() != 1e10)                 //~ COVERED
        return 10;
    if (__VERIFIER_nondet_size_t() != 11)                   //~ COVERED
        return 11;
    if (__VERIFIER_nondet_pointer() != (void *)0)           //~ COVERED
        return 12;
    if (__VERIFIER_nondet_int128() != (__int128)13 << 90)   //~ COVERED
        return 13;
    int v[2];
    __VERIFIER_nondet_memory(v, sizeof v);
    if ((v[0] ^ v[1]) != 14)                                //~ COVERED
        return 14;
    reach_error();                                          //~ ERROR reach_error
    return 0;
}
