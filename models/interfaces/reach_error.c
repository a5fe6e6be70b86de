/* `reach_error` for programs that only declare it. Direct calls are already reported as errors at the line of the call.
 * This function is called through a pointer, or if the run continues after the error. */
#include <tine.h>

void reach_error(void);
__attribute__((__weak__)) void reach_error(void) {
    __tine_fail(__TINE_REACH_ERROR, "reach_error", __FILE__, __LINE__);
}
