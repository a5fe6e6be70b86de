/* Calls do not fail here. */
#include "../../../../models/libc/failing.h"

struct __tine_failing __tine_failing;

int __tine_call_fails(unsigned kind) { return 0; }
