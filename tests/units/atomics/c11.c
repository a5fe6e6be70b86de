// tine-test: fn=c11
// The operations of <stdatomic.h>.
#include <stdatomic.h>
#include <tine.h>

int c11(unsigned x, unsigned y) {
    _Atomic unsigned a = x;
    unsigned old = atomic_fetch_add(&a, 5u);
    old += atomic_fetch_xor(&a, 0xff00u);
    atomic_fetch_or(&a, 1u);
    atomic_fetch_and_explicit(&a, 0xffffu, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&a) == 0x1235u && old == 0xed30u * 2u + 5u)     //~ COVERED
        tine_assert(x != 0xed30u);                                  //~ ERROR assertion failure
    if (atomic_exchange(&a, y) > 0xffffu)
        return -1;                                                  //~ UNREACHABLE
    if (atomic_fetch_sub(&a, 1u) == 0 && atomic_load_explicit(&a, memory_order_acquire) != 0xffffffffu)
        return -2;                                                  //~ UNREACHABLE
    return 0;
}
