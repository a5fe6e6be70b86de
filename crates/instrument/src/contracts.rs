//! Contracts of functions of the C library, by name.
//!
//! The list contains functions that are not instrumented, and conditions that instrumentation cannot detect. Models
//! access memory like any instrumented code, so a buffer that is too small for `strcpy` needs no entry here.

/// A condition on the arguments of a call. Numbers are positions of arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// Memory of this many bytes is read.
    Reads(usize, Size),
    /// Memory of this many bytes is written.
    Writes(usize, Size),
    /// As `Writes`, or null.
    MayWrite(usize, Size),
    /// A string is read.
    Text(usize),
    /// A string is read, if the pointer is not null.
    MayText(usize),
    /// The same of wide characters.
    WideText(usize),
    /// The copy of a string from the second argument to the first does not overlap; `true` if it is appended.
    TextApart(bool),
    /// This many bytes of the second argument and of the first do not overlap.
    Apart(Size),
    /// The stream or directory is open.
    Stream(usize),
    /// The same, or null.
    MayStream(usize),
    /// A format, and the first of its arguments.
    Prints(usize, usize),
    /// The same of `scanf`.
    Scans(usize, usize),
    /// The same of wide characters.
    WidePrints(usize, usize),
}

/// Size of a range in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    Bytes(u64),
    /// An argument.
    Of(usize),
    /// The product of two arguments.
    Product(usize, usize),
    /// An argument times a constant.
    Times(usize, u64),
}

struct Row {
    /// Names, separated by spaces.
    names: &'static str,
    /// Number of fixed parameters of a declaration that matches the row.
    n_params: usize,
    rules: &'static [Rule],
}

/// The contracts of a function with this many fixed parameters.
pub(crate) fn of(name: &str, n_params: usize) -> &'static [Rule] {
    let name = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    let fits = |row: &&Row| row.n_params == n_params && row.names.split(' ').any(|listed| listed == name);
    TABLE.iter().find(fits).map_or(&[], |row| row.rules)
}

const fn row(names: &'static str, n_params: usize, rules: &'static [Rule]) -> Row {
    Row { names, n_params, rules }
}

use Rule::{
    Apart, MayStream, MayText, MayWrite, Prints, Reads, Scans, Stream, Text, TextApart, WidePrints, WideText, Writes,
};
use Size::{Bytes, Of, Product, Times};

/// Size of a `struct stat` in bytes.
const STAT: u64 = 144;

const TABLE: &[Row] = &[
    // Strings.
    row("mempcpy", 3, &[Apart(Of(2))]),
    row("wmemcpy wmempcpy", 3, &[Apart(Times(2, 4))]),
    row("strcpy stpcpy", 2, &[TextApart(false)]),
    row("strcat", 2, &[TextApart(true)]),
    row("strerror_r", 3, &[Writes(1, Of(2))]),
    // Formatted output and input.
    row("printf", 1, &[Prints(0, 1)]),
    row("fprintf", 2, &[Stream(0), Prints(1, 2)]),
    row("dprintf syslog", 2, &[Prints(1, 2)]),
    row("sprintf", 2, &[Prints(1, 2)]),
    row("snprintf", 3, &[Prints(2, 3)]),
    row("asprintf", 2, &[Prints(1, 2)]),
    row("wprintf", 1, &[WidePrints(0, 1)]),
    row("fwprintf", 2, &[Stream(0), WidePrints(1, 2)]),
    row("swprintf", 3, &[Writes(0, Times(1, 4)), WidePrints(2, 3)]),
    row("vprintf", 2, &[Text(0)]),
    row("vfprintf", 3, &[Stream(0), Text(1)]),
    row("scanf", 1, &[Scans(0, 1)]),
    row("fscanf", 2, &[Stream(0), Scans(1, 2)]),
    row("sscanf", 2, &[Scans(1, 2)]),
    // Streams.
    row("puts", 1, &[Text(0)]),
    row("fputs fputs_unlocked", 2, &[Stream(1), Text(0)]),
    row("fputws", 2, &[Stream(1), WideText(0)]),
    row("perror", 1, &[MayText(0)]),
    row("fgets fgets_unlocked", 3, &[Stream(2), Writes(0, Of(1))]),
    row("fgetws", 3, &[Stream(2), Writes(0, Times(1, 4))]),
    row("fread fread_unlocked", 4, &[Stream(3), Writes(0, Product(1, 2))]),
    row("fwrite fwrite_unlocked", 4, &[Stream(3), Reads(0, Product(1, 2))]),
    row("fputc putc _IO_putc fputc_unlocked putc_unlocked fputwc putwc ungetc ungetwc", 2, &[Stream(1)]),
    row("fgetc getc _IO_getc fgetc_unlocked getc_unlocked fgetwc getwc", 1, &[Stream(0)]),
    row("fclose pclose closedir readdir readdir64 rewinddir dirfd rewind ftell ftello", 1, &[Stream(0)]),
    row("feof ferror clearerr fileno feof_unlocked ferror_unlocked fileno_unlocked", 1, &[Stream(0)]),
    row("fflush", 1, &[MayStream(0)]),
    row("fseek fseeko", 3, &[Stream(0)]),
    row("setvbuf", 4, &[Stream(0), MayWrite(1, Of(3))]),
    row("setbuf", 2, &[Stream(0), MayWrite(1, Bytes(8192))]),
    row("fopen fopen64 popen", 2, &[Text(0), Text(1)]),
    row("freopen freopen64", 3, &[MayText(0), Text(1), Stream(2)]),
    row("fdopen", 2, &[Text(1)]),
    row("getline", 3, &[Writes(0, Bytes(8)), Writes(1, Bytes(8)), Stream(2)]),
    row("getdelim", 4, &[Writes(0, Bytes(8)), Writes(1, Bytes(8)), Stream(3)]),
    // Descriptors.
    row("read recv", 3, &[Writes(1, Of(2))]),
    row("recv", 4, &[Writes(1, Of(2))]),
    row("recvfrom", 6, &[Writes(1, Of(2))]),
    row("pread pread64", 4, &[Writes(1, Of(2))]),
    row("write", 3, &[Reads(1, Of(2))]),
    row("send pwrite pwrite64", 4, &[Reads(1, Of(2))]),
    row("sendto", 6, &[Reads(1, Of(2))]),
    row("bind connect", 3, &[Reads(1, Of(2))]),
    row("pipe", 1, &[Writes(0, Bytes(8))]),
    row("poll", 3, &[MayWrite(0, Times(1, 8))]),
    // Files.
    row("getcwd", 2, &[MayWrite(0, Of(1))]),
    row("gethostname getdomainname", 2, &[Writes(0, Of(1))]),
    row("getentropy", 2, &[Writes(0, Of(1))]),
    row("getrandom", 3, &[Writes(0, Of(1))]),
    row("readlink", 3, &[Text(0), Writes(1, Of(2))]),
    row("ttyname_r", 3, &[Writes(1, Of(2))]),
    row("stat lstat stat64 lstat64", 2, &[Text(0), Writes(1, Bytes(STAT))]),
    row("fstat fstat64", 2, &[Writes(1, Bytes(STAT))]),
    row("open open64 access mkdir creat chmod", 2, &[Text(0)]),
    row("remove unlink rmdir chdir system opendir", 1, &[Text(0)]),
    row("rename link symlink", 2, &[Text(0), Text(1)]),
    row("inet_addr", 1, &[Text(0)]),
    row("inet_pton", 3, &[Text(1)]),
    row("inet_ntop", 4, &[Writes(2, Of(3))]),
];
