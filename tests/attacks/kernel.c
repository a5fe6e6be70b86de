/* Parts of the kernel that no unit needs, whichever way they are called. */
#include "attack.h"

/* `int 0x80`: another architecture's numbers. */
static long call32(long n, long a, long b, long c) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
    return (int)result;
}

int main(void) {
    char room[256] = {0};
    int numbers[] = {SYS_socket,           SYS_fork,          SYS_vfork,           SYS_execveat,      SYS_connect,   SYS_bind,
                     SYS_accept,           SYS_shmget,        SYS_semget,          SYS_msgget,        SYS_mq_open,   SYS_io_uring_setup,
                     SYS_io_uring_enter,   SYS_io_setup,      SYS_userfaultfd,     SYS_bpf,           SYS_keyctl,    SYS_add_key,
                     SYS_request_key,      SYS_mount,         SYS_umount2,         SYS_unshare,       SYS_setns,     SYS_chroot,
                     SYS_pivot_root,       SYS_init_module,   SYS_finit_module,    SYS_delete_module, SYS_reboot,    SYS_swapon,
                     SYS_quotactl,         SYS_acct,          SYS_fanotify_init,   SYS_syslog,        SYS_setuid,    SYS_setgid,
                     SYS_setgroups,        SYS_capset,        SYS_sethostname,     SYS_settimeofday,  SYS_adjtimex,  SYS_iopl,
                     SYS_kexec_load,       SYS_vhangup,       SYS_sync,            SYS_open_by_handle_at, SYS_name_to_handle_at,
                     SYS_memfd_secret,     SYS_flock,         SYS_landlock_create_ruleset, SYS_open_tree, SYS_fsopen, 448, 452, 463, 499};
#ifndef ENTRY
    /* The trap answers it: nothing is locked. */
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] == SYS_flock) numbers[i] = SYS_socket;
#endif
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char name[32];
        snprintf(name, sizeof name, "call %d", numbers[i]);
        ATTACK(name, numbers[i], 1, 1, 0, 0, 0, 0);
        ATTACK(name, numbers[i], 0, room, 0, 0, 0, 0);
        snprintf(name, sizeof name, "x32 call %d", numbers[i]);
        ATTACK(name, 0x40000000 + numbers[i], 1, 1, 0, 0, 0, 0);
    }
    ATTACK("x32 getpid", 0x40000000 + SYS_getpid, 0, 0, 0, 0, 0, 0);
    ATTACK("clone into a user namespace", SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0, 0);
    ATTACK("clone into a network namespace", SYS_clone, 0x40000000 | SIGCHLD, 0, 0, 0, 0, 0);
    ATTACK("clone with shared memory", SYS_clone, 0x4100 | SIGCHLD, 0, 0, 0, 0, 0);
    ATTACK("personality", SYS_personality, 0x0400000, 0, 0, 0, 0, 0);
    long unlimited[] = {-1, -1};
    ATTACK("raising a limit", SYS_prlimit64, 0, 1 /* file size */, unlimited, 0, 0, 0);
    /* 20: getpid, 102: socketcall */
    said("int 0x80", call32(20, 0, 0, 0));
    said("int 0x80 socketcall", call32(102, 1, 0, 0));
    end();
    return 0;
}
