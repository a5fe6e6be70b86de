/* Runs a command as if on a kernel that lacks something: old_kernel landlock|seccomp|listener COMMAND… */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int landlock = !strcmp(argv[1], "landlock"), listener = !strcmp(argv[1], "listener");
    struct sock_filter refuse[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, landlock ? SYS_landlock_create_ruleset : SYS_seccomp, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_filter nothing[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {4, refuse};
    if (listener) program = (struct sock_fprog){1, nothing};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    /* There can be one listener only, and this is it. */
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, listener ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0, &program);
    if (fd < 0 || listener && fcntl(fd, F_SETFD, 0)) return 3;
    execvp(argv[2], argv + 2);
    return 4;
}
