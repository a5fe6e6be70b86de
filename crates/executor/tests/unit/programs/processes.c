// Starts processes, if that is allowed.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tine_interface.h"

int main(void) {
    int k;
    __tine_input(&k, sizeof k, "k", 3);
    printf("system %d\n", system("echo hello"));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (k == 1) abort();
        if (k == 2) *(volatile int *)8 = 1;
        exit(5);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("child %x\n", status);
    return 3;
}
