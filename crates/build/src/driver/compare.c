/* Calls two versions of a function with the same input and compares the results. Part of the harness of `tine compare`.
 *
 * Memory is compared without types: bytes are numbers, and aligned words that are addresses of objects are pointers, which
 * are equal if the objects correspond. So the heap layouts of the two versions may differ. */

extern unsigned __tine_ends(const char *, unsigned, const char *);
extern _Noreturn void __tine_difference(const char *, const char *, unsigned, const char *);
extern void __tine_attempt(unsigned, void (*)(void));
extern void *__tine_object(unsigned, unsigned long *);
extern void __tine_transfer(void *, const void *, unsigned long);
extern unsigned long __tine_unlike(const void *, const void *, unsigned long, unsigned long, unsigned *);
extern unsigned __tine_extent(unsigned long, void **, unsigned long *);
extern unsigned long __tine_plain(unsigned long);
extern unsigned __tine_depends(const void *, unsigned long);
extern int tine_setjmp(void *) __asm__("_setjmp") __attribute__((returns_twice));
extern _Noreturn void tine_longjmp(void *, int) __asm__("longjmp");
extern char tine_image_start[] __asm__("__executable_start"), tine_image_end[] __asm__("_end");

#define TINE_OBJECTS 4096 /* objects of the input */
#define TINE_PAIRS 4096   /* objects that correspond */

/* A variable or function that both versions have. */
struct tine_twin {
    const char *name;
    void *old, *new;
    unsigned long size;
    unsigned is_compared, is_input, type;
};

/* Bytes of a type, each one of TINE_PADDING … or TINE_POINTER + the number of the type pointed to. Type 0 is
 * not known. */
struct tine_type {
    unsigned long size;
    unsigned repeats; /* an object may have several of them */
    const unsigned short *bytes;
};
#define TINE_PADDING 0
#define TINE_FURTHER 1  /* not the first byte of a number */
#define TINE_SIGNED 2
#define TINE_UNSIGNED 3
#define TINE_POINTER 4
#define TINE_ANYTHING 0xffff

struct tine_pair {
    void *old, *new;
    unsigned long size;
    unsigned type;
};

struct tine_versions {
    void (*old)(void **, void *), (*new)(void **, void *);
    void **arguments;
    void *old_result, *new_result;
    unsigned long result_size;
    unsigned result_is_float, result_type;
    const struct tine_type *types;
    const char *file;
    unsigned line;
    const char *function;
};

static const struct tine_versions *tine_compared;
static const struct tine_twin *tine_twins;
static unsigned tine_n_twins;
static long tine_frame[64];
static void *tine_before[TINE_OBJECTS], *tine_after[TINE_OBJECTS];
static struct tine_pair tine_pairs[TINE_PAIRS];
static unsigned tine_n_pairs;
static char tine_message[512];
static unsigned tine_length;

static void tine_write(const char *text) {
    while (*text && tine_length + 1 < sizeof tine_message)
        tine_message[tine_length++] = *text++;
}

static void tine_write_number(unsigned long value, unsigned width, unsigned is_signed) {
    char digits[24];
    unsigned n = sizeof digits - 1;
    unsigned long sign = width < 8 ? 1ul << (width * 8 - 1) : 1ul << 63;
    int is_negative = is_signed && (value & sign) != 0;
    if (is_negative)
        value = (~value + 1) & (sign | (sign - 1));
    digits[n] = 0;
    do
        digits[--n] = '0' + value % 10;
    while (value /= 10);
    if (is_negative)
        digits[--n] = '-';
    tine_write(digits + n);
}

static _Noreturn void tine_end(void) {
    tine_message[tine_length] = 0;
    __tine_difference(tine_message, tine_compared->file, tine_compared->line, tine_compared->function);
}

/* The object that differs, and the offset of the byte. */
static void tine_write_place(const char *what, const char *name, unsigned long at) {
    tine_write(what);
    tine_write(name);
    tine_write(": ");
    if (at) {
        tine_write("byte ");
        tine_write_number(at, 8, 0);
        tine_write(": ");
    }
}

static _Noreturn void tine_differs(const char *what, const char *name, unsigned long at, const char *how) {
    tine_write_place(what, name, at);
    tine_write(how);
    tine_end();
}

static _Noreturn void tine_numbers_differ(
    const char *what, const char *name, unsigned long at, unsigned long old, unsigned long new, unsigned width, unsigned is_signed) {
    old = __tine_plain(old);
    new = __tine_plain(new);
    tine_write_place(what, name, at);
    tine_write("old ");
    tine_write_number(old, width, is_signed);
    tine_write(", new ");
    tine_write_number(new, width, is_signed);
    tine_end();
}

typedef unsigned short tine_u2 __attribute__((aligned(1), may_alias));
typedef unsigned tine_u4 __attribute__((aligned(1), may_alias));
typedef unsigned long tine_u8 __attribute__((aligned(1), may_alias));

static unsigned long tine_load(const char *at, unsigned width) {
    switch (width) {
    case 1:
        return *(const unsigned char *)at;
    case 2:
        return *(const tine_u2 *)at;
    case 4:
        return *(const tine_u4 *)at;
    default:
        return *(const tine_u8 *)at;
    }
}

static int tine_in_image(unsigned long address) {
    return address >= (unsigned long)tine_image_start && address < (unsigned long)tine_image_end;
}

/* 1 if two addresses in the program belong to the same variable or function, or to equal constants. */
static int tine_same_static(unsigned long old, unsigned long new) {
    for (unsigned k = 0; k < tine_n_twins; k++) {
        const struct tine_twin *twin = &tine_twins[k];
        unsigned long of_old = old - (unsigned long)twin->old, of_new = new - (unsigned long)twin->new;
        if (of_old < twin->size || of_new < twin->size)
            return of_old == of_new;
    }
    const char *a = (const char *)old, *b = (const char *)new;
    for (unsigned k = 0; k < 4096; k++) {
        if (a[k] != b[k])
            return 0;
        if (!a[k])
            return 1;
    }
    return 1;
}

/* `type` is the type that the words point to, if they are pointers. */
static void tine_compare_words(
    const char *what, const char *name, unsigned long at, unsigned long old, unsigned long new, unsigned type,
    unsigned is_signed) {
    unsigned long a = __tine_plain(old), b = __tine_plain(new), a_size = 0, b_size = 0;
    void *a_start = 0, *b_start = 0;
    unsigned a_life = __tine_extent(a, &a_start, &a_size), b_life = __tine_extent(b, &b_start, &b_size);
    if (a == b || (!a_life && !b_life && !(tine_in_image(a) && tine_in_image(b)))) {
        if (old != new)
            tine_numbers_differ(what, name, at, old, new, 8, is_signed);
        return;
    }
    /* The targets are compared concretely: other targets of these pointers are other paths. */
    if (old != a || new != b)
        __tine_beyond();
    if (!a_life && !b_life) {
        if (!tine_same_static(a, b))
            tine_differs(what, name, at, "pointers to different variables, functions or constants");
        return;
    }
    if (!a_life || !b_life)
        tine_differs(what, name, at, "only one version has a pointer to a new object");
    if (old - (unsigned long)a_start != new - (unsigned long)b_start)
        tine_differs(what, name, at, "pointers to different places in an object");
    for (unsigned k = 0; k < tine_n_pairs; k++) {
        if (tine_pairs[k].old == a_start || tine_pairs[k].new == b_start) {
            if (tine_pairs[k].old != a_start || tine_pairs[k].new != b_start)
                tine_differs(what, name, at, "pointers to different objects");
            return;
        }
    }
    if (a_life != b_life)
        tine_differs(what, name, at, "only one version has freed the object");
    if (a_life == 2)
        return;
    if (tine_n_pairs == TINE_PAIRS)
        __tine_beyond();
    tine_pairs[tine_n_pairs++] = (struct tine_pair){a_start, b_start, a_size < b_size ? a_size : b_size, type};
}

/* Kind of a byte of an object of `size` bytes. */
static unsigned tine_byte_of(unsigned type, unsigned long at, unsigned long size) {
    const struct tine_type *known = &tine_compared->types[type];
    if (type && at >= known->size && known->repeats && size % known->size == 0)
        at %= known->size;
    return !type || at >= known->size ? TINE_ANYTHING : known->bytes[at];
}

static void tine_compare_memory(
    const char *what, const char *name, const char *old, const char *new, unsigned long size, unsigned type) {
    unsigned width = 0;
    for (unsigned long at = 0; (at = __tine_unlike(old, new, at, size, &width)) < size; at += width) {
        unsigned byte = tine_byte_of(type, at, size), length = 1, to = 0;
        if (width > 8)
            tine_differs(what, name, at, "only one version freed it");
        if (byte == TINE_PADDING || (byte == TINE_ANYTHING && width == 0)) {
            width = 1;
            continue;
        }
        if (byte != TINE_ANYTHING) {
            unsigned long start = at;
            while (start && tine_byte_of(type, start, size) == TINE_FURTHER)
                start--;
            while (start + length < size && tine_byte_of(type, start + length, size) == TINE_FURTHER)
                length++;
            if (width == 0)
                tine_differs(what, name, at, "only one version wrote it");
            if (length == 1 || length == 2 || length == 4 || length == 8) {
                at = start;
                width = length;
                byte = tine_byte_of(type, at, size);
                to = byte >= TINE_POINTER ? byte - TINE_POINTER : 0;
            }
        }
        unsigned is_signed = byte == TINE_SIGNED || byte == TINE_ANYTHING;
        unsigned long a = tine_load(old + at, width), b = tine_load(new + at, width);
        if (width == 8)
            tine_compare_words(what, name, at, a, b, to, is_signed);
        else if (a != b)
            tine_numbers_differ(what, name, at, a, b, width, is_signed);
    }
}

/* NaN is equal to itself; the two zeros are not equal. */
#define TINE_COMPARE_FLOATS(type, bits)                                                                          \
    do {                                                                                                         \
        type a = *(type *)v->old_result, b = *(type *)v->new_result;                                             \
        if (a == b) {                                                                                            \
            if (a == 0 && *(bits *)v->old_result != *(bits *)v->new_result)                                      \
                tine_differs("result", "", 0, "zeros of different signs");                                      \
        } else if (!(a != a && b != b)) {                                                                        \
            tine_differs("result", "", 0, "different numbers");                                                 \
        }                                                                                                        \
    } while (0)

static void tine_compare_results(const struct tine_versions *v) {
    if (v->result_is_float && v->result_size == 4)
        TINE_COMPARE_FLOATS(float, tine_u4);
    else if (v->result_is_float && v->result_size == 8)
        TINE_COMPARE_FLOATS(double, tine_u8);
    else if (v->result_is_float)
        tine_compare_memory("result", "", v->old_result, v->new_result, 10, 0);
    else
        tine_compare_memory("result", "", v->old_result, v->new_result, v->result_size, v->result_type);
}

#ifdef TINE_OUTPUT
/* The output of the versions goes to streams in memory. Only its values in this run are compared. If these are symbolic,
 * a note reports that something was left out. */
extern struct _IO_FILE *stdout, *stderr;
extern struct _IO_FILE *tine_open_stream(char **, unsigned long *) __asm__("open_memstream");
extern int tine_close_stream(struct _IO_FILE *) __asm__("fclose");
extern void __tine_read_back(void);
static struct _IO_FILE *tine_usual[2];
static char *tine_printed[2][2];
static unsigned long tine_n_printed[2][2];

static void tine_capture(unsigned version) {
    tine_usual[0] = stdout;
    tine_usual[1] = stderr;
    stdout = tine_open_stream(&tine_printed[version][0], &tine_n_printed[version][0]);
    stderr = tine_open_stream(&tine_printed[version][1], &tine_n_printed[version][1]);
    if (!stdout || !stderr)
        __tine_beyond();
}

static void tine_release(void) {
    tine_close_stream(stdout);
    tine_close_stream(stderr);
    stdout = tine_usual[0];
    stderr = tine_usual[1];
}

static void tine_write_text(const char *text, unsigned long n) {
    char letter[2] = {0, 0};
    tine_write("`");
    for (unsigned long k = 0; k < n && k < 60; k++) {
        letter[0] = text[k];
        tine_write(text[k] == '\n' ? "\\n" : text[k] < ' ' ? "?" : letter);
    }
    tine_write(n > 60 ? "`…" : "`");
}

static void tine_compare_output(void) {
    for (unsigned stream = 0; stream < 2; stream++) {
        const char *old = tine_printed[0][stream], *new = tine_printed[1][stream];
        unsigned long n_old = tine_n_printed[0][stream], n_new = tine_n_printed[1][stream];
        if (n_old || n_new)
            __tine_read_back();
        int differs = n_old != n_new;
        for (unsigned long k = 0; !differs && k < n_old; k++)
            differs = old[k] != new[k];
        if (differs) {
            tine_write(stream ? "error output: old " : "output: old ");
            tine_write_text(old, n_old);
            tine_write(", new ");
            tine_write_text(new, n_new);
            tine_end();
        }
    }
}
#else
static void tine_capture(unsigned version) { (void)version; }
static void tine_release(void) {}
static void tine_compare_output(void) {}
#endif

/* Both files are compiled with `exit` renamed to `tine_exit`: a status that depends on inputs is compared like a result.
 * The names here differ, because the files may have declared it in another way. */
extern _Noreturn void tine_noted_exit(int) __asm__("tine_exit");
extern _Noreturn void tine_noted_exit_now(int) __asm__("tine_exit_now");
extern _Noreturn void tine_real_exit(int) __asm__("exit");
extern _Noreturn void tine_real_exit_now(int) __asm__("_exit");
static unsigned tine_version, tine_exits;
static int tine_status[2];

static int tine_exit_status(int status) {
    tine_status[tine_version & 1] = status & 255;
    tine_exits |= 1u << (tine_version & 1);
    return (int)__tine_plain((unsigned long)status);
}

_Noreturn void tine_noted_exit(int status) {
    tine_real_exit(tine_exit_status(status));
}

_Noreturn void tine_noted_exit_now(int status) {
    tine_real_exit_now(tine_exit_status(status));
}

static void tine_compare_exits(void) {
    if (tine_exits != 3 || tine_status[0] == tine_status[1])
        return;
    unsigned long old = __tine_plain((unsigned long)tine_status[0]), new = __tine_plain((unsigned long)tine_status[1]);
    tine_write("end: the old version exits with status ");
    tine_write_number(old, 4, 0);
    tine_write(", the new one exits with status ");
    tine_write_number(new, 4, 0);
    tine_end();
}

static void tine_leave(void) {
    tine_longjmp(tine_frame, 1);
}

static void tine_try(unsigned version, void (*call)(void **, void *), void **arguments, void *result) {
    tine_version = version;
    tine_capture(version);
    if (tine_setjmp(tine_frame) == 0) {
        __tine_attempt(version, tine_leave);
        call(arguments, result);
    }
    __tine_attempt(2, 0);
    tine_release();
}

static void tine_save(void **copies) {
    unsigned long size = 0;
    void *object;
    for (unsigned k = 0; k < TINE_OBJECTS && (object = __tine_object(k, &size)); k++) {
        copies[k] = __builtin_malloc(size + 1);
        if (!copies[k])
            __tine_beyond();
        __tine_transfer(copies[k], object, size);
    }
}

static void tine_compare(const struct tine_versions *v, const struct tine_twin *twins, unsigned n_twins) {
    unsigned long size = 0;
    void *object;
    tine_compared = v;
    tine_twins = twins;
    tine_n_twins = n_twins;
    for (unsigned k = 0; k < n_twins; k++) {
        if (twins[k].is_input)
            __tine_transfer(twins[k].old, twins[k].new, twins[k].size);
    }
    tine_save(tine_before);
    tine_try(0, v->old, v->arguments, v->old_result);
    tine_save(tine_after);
    for (unsigned k = 0; k < TINE_OBJECTS && (object = __tine_object(k, &size)); k++)
        __tine_transfer(object, tine_before[k], size);
    tine_try(1, v->new, v->arguments, v->new_result);
    unsigned has_ended = __tine_ends(v->file, v->line, v->function);
    tine_compare_output();
    if (has_ended) {
        tine_compare_exits();
        return;
    }
    if (v->result_size)
        tine_compare_results(v);
    for (unsigned k = 0; k < TINE_OBJECTS && (object = __tine_object(k, &size)); k++)
        tine_compare_memory("memory of the input", "", tine_after[k], object, size, 0);
    for (unsigned k = 0; k < n_twins; k++) {
        if (twins[k].is_compared)
            tine_compare_memory(
                "global variable ", twins[k].name, twins[k].old, twins[k].new, twins[k].size, twins[k].type);
    }
    for (unsigned k = 0; k < tine_n_pairs; k++)
        tine_compare_memory(
            "memory that the function made", "", tine_pairs[k].old, tine_pairs[k].new, tine_pairs[k].size,
            tine_pairs[k].type);
}
