/* <string.h> and <strings.h>. */
#include "compare.h"

#include <strings.h>

/* The runtime's part, without exploration: only a few bytes at once, so that it is called several times. */
struct comparison {
    unsigned long first, end;
    unsigned is_decided;
};
void __tine_compare(const char *s, const char *t, unsigned long n, unsigned folded, struct comparison *part) {
    for (part->end = 0; part->end < n && part->end < 2 && !part->is_decided; part->end++) {
        const char a[] = {s[part->end], 0}, b[] = {t[part->end], 0};
        part->is_decided = !*b || (folded ? strcasecmp(a, b) : strcmp(a, b));
    }
}

void * model_memcpy(void *, const void *, size_t);
void * model_mempcpy(void *, const void *, size_t);
void * model_memmove(void *, const void *, size_t);
void * model_memset(void *, int, size_t);
void * model_memccpy(void *, const void *, int, size_t);
void model_bzero(void *, size_t);
void model_explicit_bzero(void *, size_t);
void model_bcopy(const void *, void *, size_t);
int model_memcmp(const void *, const void *, size_t);
int model_bcmp(const void *, const void *, size_t);
void * model_memchr(const void *, int, size_t);
void * model_memrchr(const void *, int, size_t);
void * model_rawmemchr(const void *, int);
void * model_memmem(const void *, size_t, const void *, size_t);
size_t model_strlen(const char *);
size_t model_strnlen(const char *, size_t);
int model_strcmp(const char *, const char *);
int model_strcoll(const char *, const char *);
int model_strcasecmp(const char *, const char *);
int model_strncmp(const char *, const char *, size_t);
int model_strncasecmp(const char *, const char *, size_t);
char * model_strcpy(char *, const char *);
char * model_stpcpy(char *, const char *);
char * model_strncpy(char *, const char *, size_t);
char * model_stpncpy(char *, const char *, size_t);
char * model_strcat(char *, const char *);
char * model_strncat(char *, const char *, size_t);
size_t model_strxfrm(char *, const char *, size_t);
char * model_strchr(const char *, int);
char * model_strrchr(const char *, int);
char * model_index(const char *, int);
char * model_rindex(const char *, int);
char * model_strchrnul(const char *, int);
size_t model_strspn(const char *, const char *);
size_t model_strcspn(const char *, const char *);
char * model_strpbrk(const char *, const char *);
char * model_strstr(const char *, const char *);
char * model_strcasestr(const char *, const char *);
char * model_strtok(char *, const char *);
char * model_strtok_r(char *, const char *, char **);
char * model___strtok_r(char *, const char *, char **);
char * model_strsep(char **, const char *);
char * model_strdup(const char *);
char * model___strdup(const char *);
char * model_strndup(const char *, size_t);

char *__strdup(const char *);
char *__strtok_r(char *, const char *, char **);

/* Pointers into the memory of either side are compared as distances. */
#define OFFSET(result, memory) offset(result, memory)

static long offset(const void *result, const char *memory) { return result ? (const char *)result - memory : -1; }

/* A hash of a sequence of tokens. */
static long sum_up(long sum, const char *token, const char *memory) {
    return sum * 31 + (token - memory) * 7 + (long)strlen(token) + 1;
}

static long all_tokens(char *function(char *, const char *), char *memory, const char *set) {
    long sum = 0;
    for (char *token = function(memory, set); token; token = function(NULL, set))
        sum = sum_up(sum, token, memory);
    return sum;
}

static long all_tokens_r(char *function(char *, const char *, char **), char *memory, const char *set) {
    long sum = 0;
    char *rest;
    for (char *token = function(memory, set, &rest); token; token = function(NULL, set, &rest))
        sum = sum_up(sum, token, memory);
    return sum;
}

static long all_parts(char *function(char **, const char *), char *memory, const char *set) {
    long sum = 0;
    char *rest = memory;
    for (char *part = function(&rest, set); part; part = function(&rest, set))
        sum = sum_up(sum, part, memory);
    return sum;
}

static int copied(char *copy, char *to) {
    strcpy(to, copy);
    free(copy);
    return 0;
}

/* Upper and lower case letters, and bytes that are negative as `char`. */
#define SET                                                                                                            \
    any_text(s, SIZE - 1, "abAB\xe4\xff"), any_text(t, below(2) ? 3 : SIZE - 1, "abAB\xe4\xff"), n = below(SIZE),       \
        m = below(4), i = below(4), k = below(4), c = "ab\0\xe4"[below(4)]

void compare_strings(void) {
    char s[SIZE] = "", t[SIZE] = "";
    size_t n, m, i, k;
    int c;
    COMPARE(memcpy, SET, OFFSET(model_memcpy(ours + i, s, n), ours), OFFSET(memcpy(theirs + i, s, n), theirs));
    COMPARE(mempcpy, SET, OFFSET(model_mempcpy(ours + i, s, n), ours), OFFSET(mempcpy(theirs + i, s, n), theirs));
    COMPARE(memmove, SET, OFFSET(model_memmove(ours + i, ours + k, n), ours), OFFSET(memmove(theirs + i, theirs + k, n), theirs));
    COMPARE(memset, SET, OFFSET(model_memset(ours + i, c, n), ours), OFFSET(memset(theirs + i, c, n), theirs));
    COMPARE(memccpy, SET, OFFSET(model_memccpy(ours, s, c, n), ours), OFFSET(memccpy(theirs, s, c, n), theirs));
    COMPARE(bzero, SET, (model_bzero(ours + i, n), 0), (bzero(theirs + i, n), 0));
    COMPARE(explicit_bzero, SET, (model_explicit_bzero(ours + i, n), 0), (explicit_bzero(theirs + i, n), 0));
    COMPARE(bcopy, SET, (model_bcopy(ours + k, ours + i, n), 0), (bcopy(theirs + k, theirs + i, n), 0));
    COMPARE(memcmp, SET, sign(model_memcmp(s, t, m)), sign(memcmp(s, t, m)));
    COMPARE(bcmp, SET, !model_bcmp(s, t, m), !bcmp(s, t, m));
    COMPARE(memchr, SET, model_memchr(s, c, n), memchr(s, c, n));
    COMPARE(memrchr, SET, model_memrchr(s, c, n), memrchr(s, c, n));
    COMPARE(rawmemchr, SET, model_rawmemchr(s, 0), rawmemchr(s, 0));
    COMPARE(memmem, SET, model_memmem(s, n, t, i), memmem(s, n, t, i));
    COMPARE(strlen, SET, model_strlen(s), strlen(s));
    COMPARE(strnlen, SET, model_strnlen(s, n), strnlen(s, n));
    COMPARE(strcmp, SET, sign(model_strcmp(s, t)), sign(strcmp(s, t)));
    COMPARE(strcoll, SET, sign(model_strcoll(s, t)), sign(strcoll(s, t)));
    COMPARE(strcasecmp, SET, sign(model_strcasecmp(s, t)), sign(strcasecmp(s, t)));
    COMPARE(strncmp, SET, sign(model_strncmp(s, t, n)), sign(strncmp(s, t, n)));
    COMPARE(strncasecmp, SET, sign(model_strncasecmp(s, t, n)), sign(strncasecmp(s, t, n)));
    COMPARE(strcpy, SET, OFFSET(model_strcpy(ours, s), ours), OFFSET(strcpy(theirs, s), theirs));
    COMPARE(stpcpy, SET, OFFSET(model_stpcpy(ours, s), ours), OFFSET(stpcpy(theirs, s), theirs));
    COMPARE(strncpy, SET, OFFSET(model_strncpy(ours, s, n), ours), OFFSET(strncpy(theirs, s, n), theirs));
    COMPARE(stpncpy, SET, OFFSET(model_stpncpy(ours, s, n), ours), OFFSET(stpncpy(theirs, s, n), theirs));
    COMPARE(strcat, SET, OFFSET(model_strcat(ours, s), ours), OFFSET(strcat(theirs, s), theirs));
    COMPARE(strncat, SET, OFFSET(model_strncat(ours, s, n), ours), OFFSET(strncat(theirs, s, n), theirs));
    COMPARE(strxfrm, SET, model_strxfrm(ours, s, n), strxfrm(theirs, s, n));
    COMPARE(strchr, SET, model_strchr(s, c), strchr(s, c));
    COMPARE(strrchr, SET, model_strrchr(s, c), strrchr(s, c));
    COMPARE(index, SET, model_index(s, c), index(s, c));
    COMPARE(rindex, SET, model_rindex(s, c), rindex(s, c));
    COMPARE(strchrnul, SET, model_strchrnul(s, c), strchrnul(s, c));
    COMPARE(strspn, SET, model_strspn(s, t), strspn(s, t));
    COMPARE(strcspn, SET, model_strcspn(s, t), strcspn(s, t));
    COMPARE(strpbrk, SET, model_strpbrk(s, t), strpbrk(s, t));
    COMPARE(strstr, SET, model_strstr(s, t), strstr(s, t));
    COMPARE(strcasestr, SET, model_strcasestr(s, t), strcasestr(s, t));
    COMPARE(strtok, SET, all_tokens(model_strtok, ours, t), all_tokens(strtok, theirs, t));
    COMPARE(strtok_r, SET, all_tokens_r(model_strtok_r, ours, t), all_tokens_r(strtok_r, theirs, t));
    COMPARE(__strtok_r, SET, all_tokens_r(model___strtok_r, ours, t), all_tokens_r(__strtok_r, theirs, t));
    COMPARE(strsep, SET, all_parts(model_strsep, ours, t), all_parts(strsep, theirs, t));
    COMPARE(strdup, SET, copied(model_strdup(s), ours), copied(strdup(s), theirs));
    COMPARE(__strdup, SET, copied(model___strdup(s), ours), copied(__strdup(s), theirs));
    COMPARE(strndup, SET, copied(model_strndup(s, n), ours), copied(strndup(s, n), theirs));
}
