/* Effects of a call outside of variables and heap: mapped memory, a position in a file, the umask, random
 * numbers, and variables of uninstrumented code. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct object {
    int *memory;
    int file;
};

struct object *init(void) {
    struct object *o = calloc(1, sizeof *o);
    o->file = -1;
    return o;
}

struct object *init_mapped(void) {
    struct object *o = init();
    o->memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return o;
}
void count_mapped(struct object *o) {
    if (++*o->memory == 4)
        abort();
}

void count_own(struct object *o) {
    static int *memory;
    if (!memory)
        memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (++*memory == 4)
        abort();
}

struct object *init_file(void) {
    struct object *o = init();
    o->file = memfd_create("file", 0);
    return o;
}
void count_file(struct object *o) {
    write(o->file, "x", 1);
    if (lseek(o->file, 0, SEEK_CUR) == 4)
        abort();
}

struct object *init_umask(void) {
    umask(022);
    return init();
}
void count_umask(struct object *o) {
    int mask = umask(0);
    umask(mask + 1);
    if (mask == 022 + 3)
        abort();
}

struct object *init_random(void) {
    srand(1);
    return init();
}
void count_random(struct object *o) {
    if (rand() % 6 == 5)
        abort();
}

int foreign_count(void);
__asm__(".text\nforeign_count: incl foreign_counter(%rip)\nmov foreign_counter(%rip), %eax\nret\n"
        ".data\n.p2align 3\nforeign_counter: .quad 0\n.text\n");
void count_foreign(struct object *o) {
    if (foreign_count() == 4)
        abort();
}

/* Variables of the environment: replaced, and changed in place. */
void count_variable(struct object *o) {
    char name[4] = "K0";
    while (getenv(name))
        name[1]++;
    if (name[1] == '3')
        abort();
    setenv(name, "", 1);
}
void count_in_place(struct object *o) {
    char *value = getenv("N");
    if (!value)
        setenv("N", "1", 1);
    else if (++*value == '4')
        abort();
}

static int n_left;
static void leave(void) {
    if (++n_left == 3)
        abort();
}
void count_at_exit(struct object *o) { atexit(leave); }

/* No effects: the state repeats. */
void print(struct object *o) { write(1, "x", 1); }
