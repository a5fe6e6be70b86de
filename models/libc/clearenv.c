#include "environment.h"

int clearenv(void) {
    environ = NULL;
    return 0;
}
