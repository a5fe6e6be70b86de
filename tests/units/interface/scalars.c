// tine-test: program paths=28
// One input of every type: each must have its own value to get on.
#include <stdint.h>
#include <tine.h>

int main(void) {
    if (!tine_bool("bool"))                                     //~ COVERED
        return 1;
    if (tine_char("char") != 'x')                               //~ COVERED
        return 2;
    if (tine_schar("schar") != -128)                            //~ COVERED
        return 3;
    if (tine_uchar("uchar") != 255)                             //~ COVERED
        return 4;
    if (tine_short("short") != -32768)                          //~ COVERED
        return 5;
    if (tine_ushort("ushort") != 65535)                         //~ COVERED
        return 6;
    if (tine_int("int") != INT32_MIN)                           //~ COVERED
        return 7;
    if (tine_uint("uint") != 0x89abcdefu)                       //~ COVERED
        return 8;
    if (tine_long("long") != INT64_MIN)                         //~ COVERED
        return 9;
    if (tine_ulong("ulong") != UINT64_MAX)                      //~ COVERED
        return 10;
    if (tine_longlong("longlong") != -2)                        //~ COVERED
        return 11;
    if (tine_ulonglong("ulonglong") != 1ull << 63)              //~ COVERED
        return 12;
    if (tine_int128("int128") != -((__int128)1 << 100))         //~ COVERED
        return 13;
    if (tine_uint128("uint128") != (unsigned __int128)3 << 126) //~ COVERED
        return 14;
    if (tine_int8("int8") != -1)                                //~ COVERED
        return 15;
    if (tine_uint8("uint8") != 200)                             //~ COVERED
        return 16;
    if (tine_int16("int16") != -300)                            //~ COVERED
        return 17;
    if (tine_uint16("uint16") != 40000)                         //~ COVERED
        return 18;
    if (tine_int32("int32") != -70000)                          //~ COVERED
        return 19;
    if (tine_uint32("uint32") != 3000000000u)                   //~ COVERED
        return 20;
    if (tine_int64("int64") != -5000000000)                     //~ COVERED
        return 21;
    if (tine_uint64("uint64") != 10000000000000000000u)         //~ COVERED
        return 22;
    if (tine_size("size") != 1u << 20)                          //~ COVERED
        return 23;
    if (tine_ptrdiff("ptrdiff") != -8)                          //~ COVERED
        return 24;
    if (tine_float("float") != 1.25f)                           //~ COVERED
        return 25;
    if (tine_double("double") != -1.0e100)                      //~ COVERED
        return 26;
    if (tine_pointer("pointer") != (void *)0xfeed)              //~ COVERED
        return 27;
    tine_assert(0);                                             //~ ERROR assertion failure
    return 0;
}
