/* Files that are inputs (`tine run --sym-stdin`, `--sym-file`): operations on their descriptors and streams. All other
 * files are left to the library.
 *
 *     file          bytes and size, both inputs
 *     opening       a position in a file, as `open` makes one and `dup` shares it
 *     descriptor    a number that names an opening: the lowest free one, as the kernel would choose it. Memory that is
 *                   read like a file has a number from FIRST on.
 *     stream        a FILE that names a descriptor; nothing is buffered
 *
 * The existence of a byte at a position is one decision, or none if the path knows it already.
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
#define MAX_DESCRIPTORS 1056
#define MAX_STREAMS 16
#define MAX_PUSHED 8
#define MAX_MAPPINGS 16
#define MAX_WRITTEN 32
#define MAX_LISTINGS 8
#define FIRST 1024

struct __tine_file {
    const char *name;
    /* The last part of the name, and its directory, if it existed when the program started. */
    const char *base;
    int has_folder;
    dev_t device;
    ino_t folder;
    const unsigned char *bytes;
    /* Maximum number of bytes; `size` is an input from its first use on. */
    unsigned capacity, size;
    int asked;
    const char *shown;
    /* Number of bytes known by the path to exist, and possibly that there are no more. */
    unsigned known;
    int ends;
    /* True if the program has written a file of that name. */
    int replaced;
    /* Not a real file: memory that is read like one (`fmemopen`), or a stream that is an input. */
    int in_memory;
    /* True if the last byte stands for all bytes beyond a bound. */
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

/* A directory that is being read, with the files already returned, as bits. */
struct __tine_listing {
    void *folder;
    unsigned listed;
};

/* Other inputs requested by `tine run`. */
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
    struct __tine_listing listings[MAX_LISTINGS];
} __tine_files;

/* Makes all files inputs, in the order in which they were named: see `start.c`.
 * They are not accessed before. */
void __tine_ask(void);

/* Notes that written data may be read back without its shadows: once for each place. */
void __tine_read_back(void);
void __tine_overwritten(void *at, unsigned long size);

int library_fileno(FILE *handle) LIBRARY(fileno);
int library_fcntl(int descriptor, int command, ...) LIBRARY(fcntl);

/* The position or size of a real file, which the kernel knows. If the program writes the file, it may depend on the
 * lengths of the data, which are not followed. */
static inline long position(int descriptor, long known) {
    int before = errno;
    if (known >= 0 && descriptor >= 0 && (library_fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY)
        __tine_read_back();
    errno = before;
    return known;
}

static inline long stream_position(FILE *handle, long known) {
    int before = errno, descriptor = library_fileno(handle);
    errno = before;
    return position(descriptor, known);
}

/* Clears the shadows of the `n` bytes that the library has read to `to`, if any. */
static inline ssize_t overwritten(void *to, ssize_t n) {
    if (n > 0)
        __tine_overwritten(to, n);
    return n;
}
_Noreturn void __tine_beyond(void);
int __tine_reserve_descriptor(int from);
int __tine_release_descriptor(int number);
unsigned __tine_depends(const void *at, unsigned long size);

static inline int fails(int why) {
    errno = why;
    return -1;
}

/* The opening of a descriptor, if tine made it. */
static inline struct __tine_opening *opening_of(int descriptor) {
    return (unsigned)descriptor < MAX_DESCRIPTORS ? __tine_files.descriptors[descriptor] : NULL;
}

int library_fstatat(int folder, const char *name, struct stat *to, int flags) LIBRARY(fstatat);
int library_fstat(int descriptor, struct stat *to) LIBRARY(fstat);
int library_open(const char *name, int flags, ...) LIBRARY(open);
int library_close(int descriptor) LIBRARY(close);
int library_dup(int descriptor) LIBRARY(dup);
int library_dup2(int descriptor, int to) LIBRARY(dup2);

/* The part of a path after its last slash. */
static inline const char *last_part(const char *path) {
    const char *part = path;
    for (const char *at = path; *at; at++)
        if (*at == '/')
            part = at + 1;
    return part;
}

/* Status of the directory part of a path that starts at `folder`. */
static inline int describe_folder(int folder, const char *path, struct stat *to) {
    size_t n = last_part(path) - path;
    char name[4096] = ".";
    if (n >= sizeof name)
        return -1;
    if (n) {
        memcpy(name, path, n);
        name[n] = 0;
    }
    /* The library ignores the previous contents. */
    memset(to, 0, sizeof *to);
    int before = errno, result = library_fstatat(folder, name, to, 0);
    errno = before;
    return result;
}

/* Files keep their location of the program start, independent of later changes of the current directory. */
static inline void locate(struct __tine_file *file, int folder, const char *path) {
    struct stat found;
    file->base = last_part(path);
    file->has_folder = describe_folder(folder, path, &found) == 0;
    file->device = file->has_folder ? found.st_dev : 0;
    file->folder = file->has_folder ? found.st_ino : 0;
}

/* The file for a path relative to `folder`: compared by directory and last part, so that any spelling is accepted. A
 * name that is an input is compared like any other string; only `./` may precede it. */
static inline struct __tine_file *file_at(int folder, const char *name) {
    if (!__tine_files.n_files || !name)
        return NULL;
    int depends = __tine_depends(name, 1);
    /* A name that is an input is hardly one of these, and the comparison is expensive. */
    if (opening_of(0) && !depends && name[0] == '/' &&
        (!strcmp(name, "/dev/stdin") || !strcmp(name, "/dev/fd/0") || !strcmp(name, "/proc/self/fd/0")))
        return opening_of(0)->file;
    if (depends && name[0] == '.' && name[1] == '/')
        name += 2;
    const char *base = depends ? name : last_part(name);
    for (unsigned i = 0; i < __tine_files.n_files; i++) {
        struct __tine_file *file = &__tine_files.files[i];
        struct stat found;
        if (!file->name || file->replaced || strcmp(depends || !file->has_folder ? file->name : file->base, depends || !file->has_folder ? name : base) != 0)
            continue;
        if (depends || !file->has_folder)
            return file;
        if (describe_folder(folder, name, &found) == 0 && found.st_dev == file->device && found.st_ino == file->folder)
            return file;
    }
    return NULL;
}

static inline struct __tine_file *file_named(const char *name) { return file_at(AT_FDCWD, name); }

static inline int has_byte(struct __tine_file *file, unsigned long position) {
    if (position < file->known)
        return 1;
    if (file->ends || position >= file->capacity)
        return 0;
    if (!file->asked)
        __tine_ask();
    /* One byte at a time, so that equal reads make equal decisions. */
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

/* Makes a number assigned by the kernel, or outside of the kernel's numbers, name an opening. */
static inline int name_opening(int number, struct __tine_opening *opening) {
    __tine_files.descriptors[number] = opening;
    opening->users++;
    return number;
}

static inline int new_descriptor(struct __tine_opening *opening, int from) {
    if (opening->file->in_memory) {
        for (int i = FIRST; i < MAX_DESCRIPTORS; i++)
            if (!__tine_files.descriptors[i])
                return name_opening(i, opening);
        return fails(EMFILE);
    }
    int number = __tine_reserve_descriptor(from);
    return number < 0 ? fails(EMFILE) : name_opening(number, opening);
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

/* Remembers written files, and notes when they are read. */
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

/* The flags for a mode of `fopen`. */
static inline int flags_of(const char *mode) {
    int flags = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (strchr(mode, 'x'))
        flags |= O_EXCL;
    return mode[0] == 'r' ? flags : flags | O_CREAT | (mode[0] == 'w' ? O_TRUNC : 0);
}

/* Writes a file's contents to a real file, because the program changes it. Shadows are lost, which is counted. */
static inline void hand_over(struct __tine_file *file, const char *name, int keeps) {
    int target = library_open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    file->replaced = 1;
    if (target < 0)
        return;
    if (keeps) {
        __tine_read_back();
        for (unsigned long i = 0; has_byte(file, i); i++) {
            char byte = file->bytes[i];
            __asm__("nop" : "+r"(byte));
            pwrite(target, &byte, 1, i);
        }
    }
    library_close(target);
}

/* The file that an `open` reads. A file that is written belongs to the kernel from then on. */
static inline struct __tine_file *opened_at(int folder, const char *name, int flags) {
    struct __tine_file *file = file_at(folder, name);
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
    if (!file || writes)
        note_opening(name, flags);
    if (file && writes && !(flags & O_CREAT && flags & O_EXCL)) {
        /* If the kernel cannot find it by this name, its original name is used. */
        hand_over(file, file->name, !(flags & O_TRUNC));
        return NULL;
    }
    return file;
}

static inline struct __tine_file *opened(const char *name, int flags) { return opened_at(AT_FDCWD, name, flags); }

/* Opens the file found by `opened`. */
static inline int open_found(struct __tine_file *file, int flags) {
    if (flags & O_CREAT && flags & O_EXCL)
        return fails(EEXIST);
    if (flags & O_DIRECTORY)
        return fails(ENOTDIR);
    return open_file(file);
}

static inline int close_descriptor(int descriptor) {
    __tine_files.descriptors[descriptor]->users--;
    __tine_files.descriptors[descriptor] = NULL;
    if (!__tine_release_descriptor(descriptor) && descriptor < FIRST)
        library_close(descriptor);
    return 0;
}

/* Before the kernel makes `to` a copy of `descriptor`: closes the symbolic file there, if the copy can succeed. */
static inline void replace_descriptor(int descriptor, int to) {
    if (descriptor != to && opening_of(to) && (opening_of(descriptor) || library_fcntl(descriptor, F_GETFD) >= 0))
        close_descriptor(to);
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
        /* The size becomes known, because a position is concrete. */
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

#define INODE_OF(file) ((file) - __tine_files.files + 1000)

static inline int describe(struct __tine_file *file, struct stat *to) {
    memset(to, 0, sizeof *to);
    to->st_dev = file->has_folder ? file->device : 1;
    to->st_ino = INODE_OF(file);
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

/* A private copy of a file, in separate memory of the program. */
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
    /* Counting converts a size that is an input to a concrete number. */
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

/* Calls that fail because of an input (`--sym-fail`). */

static inline int opening_fails(void) { return fails_with(OPENING, EACCES); }

static inline int read_fails(void) { return fails_with(READ, EIO); }

/* Sets the error flag for `ferror`, which is the library's, also for streams that are inputs. */
static inline int stream_fails(FILE *handle, unsigned kind, int why) {
    if (!fails_with(kind, why))
        return 0;
    if (handle)
        handle->_flags |= _IO_ERR_SEEN;
    return 1;
}

static inline int stream_read_fails(FILE *handle) { return stream_fails(handle, READ, EIO); }

/* Read function for library code without a model: the same bytes without shadows, which is counted. */
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

/* In the C locale a character is one valid byte. A character that is cut off by the end of the file is invalid. */
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

/* The number of a stream's descriptor; streams of memory have none. */
static inline int number_of(struct __tine_stream *stream) {
    struct __tine_opening *opening = opening_of(stream->descriptor);
    return opening && opening->file->in_memory ? fails(EBADF) : stream->descriptor;
}

static inline int close_stream(struct __tine_stream *stream) {
    struct __tine_opening *opening = opening_of(stream->descriptor);
    stream->handle = NULL;
    /* Then the entry can be reused, because it is no longer referenced. */
    if (opening && opening->file->in_memory) {
        opening->file->bytes = NULL;
        opening->file->asked = 1;
    }
    return opening_of(stream->descriptor) ? close_descriptor(stream->descriptor) : 0;
}
