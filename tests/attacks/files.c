/* Arguments: a directory of the host with a file `kept`. The host looks at it afterwards: copies of files are written instead. */
#include "attack.h"
#include <sys/stat.h>

static char path[4096], other[4096];

static long at(const char *name) {
    snprintf(path, sizeof path, "%s", name);
    return (long)path;
}

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    char kept[2048], made[2048];
    snprintf(kept, sizeof kept, "%s/kept", argv[1]);
    snprintf(made, sizeof made, "%s/made", argv[1]);
    call(SYS_unlink, at(kept), 0, 0, 0, 0, 0);
    call(SYS_rename, at(kept), (long)made, 0, 0, 0, 0);
    call(SYS_open, at(kept), O_RDONLY | O_TRUNC, 0, 0, 0, 0);
    call(SYS_open, at(kept), O_WRONLY | O_TRUNC, 0, 0, 0, 0);
    call(SYS_open, at(made), O_WRONLY | O_CREAT, 0666, 0, 0, 0);
    call(SYS_creat, at(made), 0666, 0, 0, 0, 0);
    long directory = call(SYS_open, (long)argv[1], O_RDONLY | O_DIRECTORY, 0, 0, 0, 0);
    ATTACK("openat in a directory", SYS_openat, directory, "made", O_WRONLY | O_CREAT, 0666, 0, 0);
    struct { unsigned long flags, mode, resolve; } how = {O_WRONLY | O_CREAT, 0666, 0};
    ATTACK("openat2", SYS_openat2, directory, "made", &how, sizeof how, 0, 0);
    ATTACK("unlinkat", SYS_unlinkat, directory, "kept", 0, 0, 0, 0);
    ATTACK("mkdirat", SYS_mkdirat, directory, "made", 0777, 0, 0, 0);
    ATTACK("truncate", SYS_truncate, kept, 0, 0, 0, 0, 0);
    ATTACK("chmod", SYS_chmod, kept, 0777, 0, 0, 0, 0);
    ATTACK("fchmodat", SYS_fchmodat, directory, "kept", 0777, 0, 0, 0);
    ATTACK("chown", SYS_chown, kept, 1, 1, 0, 0, 0);
    ATTACK("utimensat", SYS_utimensat, directory, "kept", 0, 0, 0, 0);
    ATTACK("setxattr", SYS_setxattr, kept, "user.x", "x", 1, 0, 0);
    long reading = call(SYS_open, (long)kept, O_RDONLY, 0, 0, 0, 0);
    ATTACK("lease", SYS_fcntl, reading, F_SETLEASE, F_RDLCK, 0, 0, 0);
    ATTACK("fchmod", SYS_fchmod, reading, 0777, 0, 0, 0, 0);
    /* From the scratch directory, which is the working directory. */
    snprintf(other, sizeof other, "link-%d", getpid());
    ATTACK("hard link", SYS_link, kept, other, 0, 0, 0, 0);
    if (call(SYS_symlink, (long)kept, (long)other, 0, 0, 0, 0) == 0) {
        int flags = O_WRONLY | O_TRUNC;
        call(SYS_openat, AT_FDCWD, (long)other, flags, 0, 0, 0);
    }
    ATTACK("character device", SYS_mknod, "device", S_IFCHR | 0666, 0x0101, 0, 0, 0);
    ATTACK("block device", SYS_mknod, "device", S_IFBLK | 0666, 0x0800, 0, 0, 0);
    ATTACK("socket file", SYS_mknod, "device", S_IFSOCK | 0666, 0, 0, 0, 0);
    ATTACK("/dev/mem", SYS_open, "/dev/mem", O_RDONLY, 0, 0, 0, 0);
    ATTACK("/dev/tty", SYS_open, "/dev/tty", O_RDONLY, 0, 0, 0, 0);
    ATTACK("/dev/ptmx", SYS_open, "/dev/ptmx", O_RDONLY, 0, 0, 0, 0);
    ATTACK("/dev/kmsg", SYS_open, "/dev/kmsg", O_RDONLY, 0, 0, 0, 0);
    ATTACK("/dev/fuse", SYS_open, "/dev/fuse", O_RDWR, 0, 0, 0, 0);
    ATTACK("kernel settings", SYS_open, "/proc/sys/kernel/core_pattern", O_WRONLY, 0, 0, 0, 0);
    ATTACK("own memory by /proc", SYS_open, "/proc/self/mem", O_RDWR, 0, 0, 0, 0);
    end();
    return 0;
}
