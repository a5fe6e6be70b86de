/* Files that are inputs (`tine run --sym-stdin`, `--sym-file`): what descriptors and streams of them do. Everything else is
 * the library's business.
 *
 *     file          bytes and size, both inputs
 *     opening       a position in a file, as `open` makes one and `dup` shares it
 *     descriptor    a number that names an opening: 0, or from FIRST on, where the kernel gives none
 *     stream        a FILE that names a descriptor; nothing is buffered
 *
 * Whether there is a byte at a position is one decision, and none if the path knows it already.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "../libc/failing.h"
#include "../libc/library.h"

#define MAX_FILES 16
#define MAX_OPENINGS 64
#define MAX_DESCRIPTORS 256
#define MAX_STREAMS 16
#define MAX_PUSHED 8
#define MAX_MAPPINGS 16
#define MAX_WRITTEN 32
#define FIRST 200

struct __tine_file {
    const char *name;
    const unsigned char *bytes;
    /* At most so many bytes; `size` is an input, once somebody has asked for it. */
    unsigned capacity, size;
    int asked;
    const char *shown;
    /* The path knows that there are so many; and, perhaps, that there are no more. */
    unsigned known;
    int ends;
    /* The program has written a file of that name. */
    int replaced;
    /* No file of the system's: memory that is read like one (`fmemopen`), or a stream that is an input. */
    int in_memory;
    /* The last byte stands for all that are beyond a bound. */
    int bounded;
};

struct __tine_opening {
    struct __tine_file *file;
    unsigned long position;
    unsigned users;
};

struct __tine_stream {
    FILE *handle;
    int descriptor, at_end;
    unsigned n_pushed;
    unsigned char pushed[MAX_PUSHED];
};

/* What `tine run` asked for beside files. */
#define WANT_TIME 1
#define WANT_RANDOM 2

extern struct __tine_files {
    unsigned wants, n_files, n_streams;
    struct __tine_file files[MAX_FILES];
    struct __tine_opening openings[MAX_OPENINGS];
    struct __tine_opening *descriptors[MAX_DESCRIPTORS];
    struct __tine_stream streams[MAX_STREAMS];
    /* Memory that `mmap` filled from a file. */
    void *mappings[MAX_MAPPINGS];
    /* Names of files that the program has written, as numbers. */
    unsigned n_written, written[MAX_WRITTEN];
} __tine_files;

/* Makes the files inputs, all of them, in the order in which they were named: see `start.c`. Nothing of them is looked at
 * before. */
void __tine_ask(void);

/* What is written may be read again, but not what is known of it: told once for each place. */
void __tine_read_back(void);
void __tine_overwritten(void *at, unsigned long size);

/* The library has read `n` bytes to `to`, if any: what was known of the memory is not so any more. */
static inline ssize_t overwritten(void *to, ssize_t n) {
    if (n > 0)
        __tine_overwritten(to, n);
    return n;
}
_Noreturn void __tine_beyond(void);
unsigned __tine_depends(const void *at, unsigned long size);

static inline int fails(int why) {
    errno = why;
    return -1;
}

/* The opening behind a descriptor, if it is one of ours. */
static inline struct __tine_opening *opening_of(int descriptor) {
    return (unsigned)descriptor < MAX_DESCRIPTORS ? __tine_files.descriptors[descriptor] : NULL;
}

/* The file of that name; `./name` is the same. A name that is an input is compared like any other. */
static inline struct __tine_file *file_named(const char *name) {
    if (!__tine_files.n_files || !name)
        return NULL;
    /* A name that is an input is hardly one of these, and comparing it with them costs. */
    if (opening_of(0) && !__tine_depends(name, 1) && name[0] == '/' &&
        (!strcmp(name, "/dev/stdin") || !strcmp(name, "/dev/fd/0") || !strcmp(name, "/proc/self/fd/0")))
        return opening_of(0)->file;
    if (name[0] == '.' && name[1] == '/')
        name += 2;
    for (unsigned i = 0; i < __tine_files.n_files; i++) {
        struct __tine_file *file = &__tine_files.files[i];
        if (file->name && !file->replaced && strcmp(file->name, name) == 0)
            return file;
    }
    return NULL;
}

static inline int has_byte(struct __tine_file *file, unsigned long position) {
    if (position < file->known)
        return 1;
    if (file->ends || position >= file->capacity)
        return 0;
    if (!file->asked)
        __tine_ask();
    /* One byte after the other, so that equal reads make equal decisions. */
    while (file->known <= position) {
        if (file->known >= file->size) {
            file->ends = 1;
            return 0;
        }
        file->known++;
        if (file->bounded && file->known == file->capacity)
            __tine_beyond();
    }
    return 1;
}

static inline ssize_t read_at(struct __tine_file *file, unsigned long position, void *to, size_t n) {
    unsigned char *bytes = to;
    size_t done = 0;
    while (done < n && has_byte(file, position + done)) {
        bytes[done] = file->bytes[position + done];
        done++;
    }
    return done;
}

static inline int next_byte(struct __tine_opening *opening) {
    if (!has_byte(opening->file, opening->position))
        return -1;
    return opening->file->bytes[opening->position++];
}

static inline int new_descriptor(struct __tine_opening *opening, int from) {
    for (int i = from < FIRST ? FIRST : from; i < MAX_DESCRIPTORS; i++) {
        if (!__tine_files.descriptors[i]) {
            __tine_files.descriptors[i] = opening;
            opening->users++;
            return i;
        }
    }
    return fails(EMFILE);
}

static inline int open_file(struct __tine_file *file) {
    for (unsigned i = 0; i < MAX_OPENINGS; i++) {
        struct __tine_opening *opening = &__tine_files.openings[i];
        if (!opening->users) {
            opening->file = file;
            opening->position = 0;
            return new_descriptor(opening, 0);
        }
    }
    return fails(ENFILE);
}

/* Remembers what is written, and tells where it is read. */
static inline void note_opening(const char *name, int flags) {
    unsigned number = 5381;
    if (!name || __tine_depends(name, 1))
        return;
    for (const char *at = name; *at; at++)
        number = number * 33 + (unsigned char)*at;
    if ((flags & O_ACCMODE) == O_RDWR)
        __tine_read_back();
    if ((flags & O_ACCMODE) != O_RDONLY) {
        __tine_files.written[__tine_files.n_written++ % MAX_WRITTEN] = number;
        return;
    }
    for (unsigned i = 0; i < __tine_files.n_written && i < MAX_WRITTEN; i++)
        if (__tine_files.written[i] == number)
            return __tine_read_back();
}

/* The flags that a mode of `fopen` stands for. */
static inline int flags_of(const char *mode) {
    return strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
}

/* The file that an `open` reads. One that it writes is the kernel's from then on. */
static inline struct __tine_file *opened(const char *name, int flags) {
    struct __tine_file *file = file_named(name);
    if (!file || (flags & O_ACCMODE) != O_RDONLY)
        note_opening(name, flags);
    if (file && ((flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC)) {
        file->replaced = 1;
        return NULL;
    }
    return file;
}

static inline int close_descriptor(int descriptor) {
    __tine_files.descriptors[descriptor]->users--;
    __tine_files.descriptors[descriptor] = NULL;
    return 0;
}

static inline long seek(struct __tine_opening *opening, long offset, int whence) {
    long start;
    switch (whence) {
    case SEEK_SET:
        start = 0;
        break;
    case SEEK_CUR:
        start = opening->position;
        break;
    case SEEK_END: {
        /* The size becomes known: a position is a number. */
        struct __tine_file *file = opening->file;
        while (has_byte(file, file->known))
            ;
        start = file->known;
        break;
    }
    default:
        return fails(EINVAL);
    }
    if (start + offset < 0)
        return fails(EINVAL);
    opening->position = start + offset;
    return opening->position;
}

static inline int describe(struct __tine_file *file, struct stat *to) {
    memset(to, 0, sizeof *to);
    to->st_dev = 1;
    to->st_ino = file - __tine_files.files + 1000;
    to->st_mode = S_IFREG | 0644;
    to->st_nlink = 1;
    to->st_uid = getuid();
    to->st_gid = getgid();
    to->st_blksize = 4096;
    to->st_blocks = (file->capacity + 511) / 512;
    if (!file->asked)
        __tine_ask();
    to->st_size = file->size;
    return 0;
}

/* A private copy of a file, in memory of the program's own. */
static inline void *map_file(struct __tine_file *file, size_t n, long offset) {
    const size_t page = 4096;
    void **mapping = NULL;
    for (unsigned i = 0; i < MAX_MAPPINGS && !mapping; i++)
        if (!__tine_files.mappings[i])
            mapping = &__tine_files.mappings[i];
    if (n == 0 || offset < 0 || offset % page || n > 1ul << 40) {
        errno = EINVAL;
        return (void *)-1;
    }
    /* Counting makes a number of a size that is an input. */
    size_t pages = 0;
    while (pages * page < n)
        pages++;
    unsigned left = suspend_failing();
    unsigned char *copy = mapping ? aligned_alloc(page, pages * page) : NULL;
    resume_failing(left);
    if (!copy) {
        errno = ENOMEM;
        return (void *)-1;
    }
    memset(copy, 0, pages * page);
    read_at(file, offset, copy, pages * page);
    return *mapping = copy;
}

/* Streams. */

static inline struct __tine_stream *stream_of(FILE *handle) {
    for (unsigned i = 0; i < __tine_files.n_streams; i++)
        if (__tine_files.streams[i].handle == handle)
            return &__tine_files.streams[i];
    return NULL;
}

static inline struct __tine_stream *new_stream(FILE *handle, int descriptor) {
    struct __tine_stream *stream = stream_of(NULL);
    if (!stream) {
        if (__tine_files.n_streams == MAX_STREAMS)
            return NULL;
        stream = &__tine_files.streams[__tine_files.n_streams++];
    }
    *stream = (struct __tine_stream){handle, descriptor};
    return stream;
}

/* Calls that an input makes fail (`--sym-fail`). */

static inline int opening_fails(void) { return fails_with(OPENING, EACCES); }

static inline int read_fails(void) { return fails_with(READ, EIO); }

/* `ferror` says so, too, which is the library's: also of streams that are inputs. */
static inline int stream_fails(FILE *handle, unsigned kind, int why) {
    if (!fails_with(kind, why))
        return 0;
    if (handle)
        handle->_flags |= _IO_ERR_SEEN;
    return 1;
}

static inline int stream_read_fails(FILE *handle) { return stream_fails(handle, READ, EIO); }

/* What functions that have no model read: the same bytes, without what is known of them, which is counted. */
static inline ssize_t cookie_read(void *cookie, char *to, size_t n) {
    struct __tine_opening *opening = cookie;
    ssize_t done = read_at(opening->file, opening->position, to, n);
    for (ssize_t i = 0; i < done; i++) {
        char byte = to[i];
        __asm__("nop" : "+r"(byte));
        to[i] = byte;
    }
    opening->position += done;
    return done;
}

static inline FILE *open_stream(int descriptor) {
    cookie_io_functions_t functions = {cookie_read};
    FILE *handle = fopencookie(__tine_files.descriptors[descriptor], "r", functions);
    if (handle && new_stream(handle, descriptor))
        return handle;
    errno = EMFILE;
    return NULL;
}

static inline int stream_get(struct __tine_stream *stream) {
    if (stream->n_pushed)
        return stream->pushed[--stream->n_pushed];
    struct __tine_opening *opening = opening_of(stream->descriptor);
    int byte = opening ? next_byte(opening) : -1;
    if (byte == -1)
        stream->at_end = 1;
    return byte;
}

/* In the C locale a character is a byte, of those that there are. One that the file ends within is wrong, too. */
static inline unsigned stream_get_wide(struct __tine_stream *stream) {
    mbstate_t state = {0};
    for (;;) {
        int byte = stream_get(stream);
        if (byte < 128 && mbsinit(&state))
            return byte;
        char text = byte;
        wchar_t c;
        size_t length = byte < 0 ? (size_t)-1 : mbrtowc(&c, &text, 1, &state);
        if (length == 1)
            return c;
        if (length != (size_t)-2) {
            stream->at_end = 0;
            errno = EILSEQ;
            return -1;
        }
    }
}

static inline size_t stream_read(struct __tine_stream *stream, void *to, size_t size, size_t n) {
    unsigned char *bytes = to;
    if (!size || !n)
        return 0;
    size_t total = size * n, done = 0;
    while (done < total) {
        int byte = stream_get(stream);
        if (byte == -1)
            break;
        bytes[done++] = byte;
    }
    return done == total ? n : done / size;
}

static inline char *stream_line(struct __tine_stream *stream, char *to, int room) {
    int n = 0;
    if (room <= 0)
        return NULL;
    while (n < room - 1) {
        int byte = stream_get(stream);
        if (byte == -1)
            break;
        to[n++] = byte;
        if (byte == '\n')
            break;
    }
    if (!n && room > 1)
        return NULL;
    to[n] = 0;
    return to;
}

static inline ssize_t stream_until(struct __tine_stream *stream, char **line, size_t *room, int end) {
    size_t n = 0;
    for (;;) {
        int byte = stream_get(stream);
        if (byte == -1)
            break;
        if (!*line || n + 2 > *room) {
            size_t more = *line && *room > 60 ? *room * 2 : 120;
            char *larger = realloc(*line, more);
            if (!larger)
                return -1;
            *line = larger;
            *room = more;
        }
        (*line)[n++] = byte;
        if (byte == end)
            break;
    }
    if (!n)
        return -1;
    (*line)[n] = 0;
    return n;
}

void library_clearerr(FILE *handle) LIBRARY(clearerr);

static inline int stream_seek(struct __tine_stream *stream, long offset, int whence) {
    struct __tine_opening *opening = opening_of(stream->descriptor);
    if (!opening)
        return fails(EBADF);
    if (whence == SEEK_CUR)
        offset -= stream->n_pushed;
    if (seek(opening, offset, whence) < 0)
        return -1;
    stream->n_pushed = 0;
    stream->at_end = 0;
    library_clearerr(stream->handle);
    return 0;
}

/* The number of a stream's descriptor; one of memory has none. */
static inline int number_of(struct __tine_stream *stream) {
    struct __tine_opening *opening = opening_of(stream->descriptor);
    return opening && opening->file->in_memory ? fails(EBADF) : stream->descriptor;
}

static inline int close_stream(struct __tine_stream *stream) {
    struct __tine_opening *opening = opening_of(stream->descriptor);
    stream->handle = NULL;
    /* Then the place can be another's, and nobody asks for it any more. */
    if (opening && opening->file->in_memory) {
        opening->file->bytes = NULL;
        opening->file->asked = 1;
    }
    return opening_of(stream->descriptor) ? close_descriptor(stream->descriptor) : 0;
}
