/* `reach_error` for programs that only declare it. The compiler reports its calls already as errors at the
 * line that calls; this is reached through a pointer, or where a run goes on by itself. */
#include <tine.h>

void reach_error(void);
__attribute__((__weak__)) void reach_error(void) {
    __tine_fail(__TINE_REACH_ERROR, "reach_error", __FILE__, __LINE__);
}
