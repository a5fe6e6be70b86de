#include <stdio.h>
#include <string.h>
#include <time.h>

#include "library.h"
#include "names.h"

size_t library_strftime(char *to, size_t size, const char *format, const struct tm *time) LIBRARY(strftime);

/* Directives that are abbreviations of several others. */
static const char *composed(char letter) {
    switch (letter) {
    case 'c':
        return "%a %b %e %H:%M:%S %Y";
    case 'D':
    case 'x':
        return "%m/%d/%y";
    case 'F':
        return "%Y-%m-%d";
    case 'r':
        return "%I:%M:%S %p";
    case 'R':
        return "%H:%M";
    case 'T':
    case 'X':
        return "%H:%M:%S";
    default:
        return NULL;
    }
}

/* Directives that are one number: the format, and the value. */
static const char *number(char letter, const struct tm *time, int *value) {
    int hour = time->tm_hour > 12 ? time->tm_hour - 12 : time->tm_hour == 0 ? 12 : time->tm_hour;
    switch (letter) {
    case 'd':
        return *value = time->tm_mday, "%02d";
    case 'e':
        return *value = time->tm_mday, "%2d";
    case 'H':
        return *value = time->tm_hour, "%02d";
    case 'k':
        return *value = time->tm_hour, "%2d";
    case 'I':
        return *value = hour, "%02d";
    case 'l':
        return *value = hour, "%2d";
    case 'j':
        return *value = time->tm_yday + 1, "%03d";
    case 'm':
        return *value = time->tm_mon + 1, "%02d";
    case 'M':
        return *value = time->tm_min, "%02d";
    case 'S':
        return *value = time->tm_sec, "%02d";
    case 'u':
        return *value = (time->tm_wday + 6) % 7 + 1, "%d";
    case 'w':
        return *value = time->tm_wday, "%d";
    case 'y':
        return *value = (time->tm_year % 100 + 100) % 100, "%02d";
    case 'Y':
        return *value = time->tm_year, "%ld";
    default:
        return NULL;
    }
}

/* Other directives, including the characters between the percent sign and the letter. */
static const char *left_to_library(const char *directive, size_t n, const struct tm *time, char *piece, size_t room) {
    char format[32] = "x";
    if (n > sizeof format - 2)
        n = sizeof format - 2;
    memcpy(format + 1, directive, n);
    format[n + 1] = 0;
    /* An empty result could not be distinguished from lack of room. */
    return library_strftime(piece, room, format, time) ? piece + 1 : NULL;
}

/* The output of one directive; NULL if it is too long. */
static const char *written(const char *directive, size_t n, const struct tm *time, char *piece, size_t room) {
    int value;
    char letter = directive[n - 1];
    const char *format = n == 2 ? number(letter, time, &value) : NULL, *name = NULL;
    if (format) {
        if (letter == 'Y')
            snprintf(piece, room, format, value + 1900L);
        else
            snprintf(piece, room, format, value);
        return piece;
    }
    switch (n == 2 ? letter : 0) {
    case 'a':
    case 'A':
        name = DAY_NAME(time, "?");
        break;
    case 'b':
    case 'h':
    case 'B':
        name = MONTH_NAME(time, "?");
        break;
    case 'p':
        return time->tm_hour > 11 ? "PM" : "AM";
    case 'P':
        return time->tm_hour > 11 ? "pm" : "am";
    case 'n':
        return "\n";
    case 't':
        return "\t";
    case '%':
        return "%";
    default:
        return left_to_library(directive, n, time, piece, room);
    }
    if (letter == 'A' || letter == 'B')
        return name;
    snprintf(piece, room, "%.3s", name);
    return piece;
}

/* Position after the letter of the directive that begins here; the end, if there is no letter. */
static const char *skip(const char *directive) {
    const char *at = directive + 1;
    at += strspn(at, "_-+0^#");
    at += strspn(at, "0123456789");
    at += strspn(at, "EO");
    return *at ? at + 1 : at;
}

size_t strftime(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict time) {
    char piece[256];
    size_t length = 0;
    while (*format) {
        const char *next = *format == '%' ? skip(format) : format + 1, *text;
        size_t n = next - format;
        const char *parts = *format == '%' && n == 2 ? composed(format[1]) : NULL;
        if (parts) {
            n = strftime(to + length, size - length, parts, time);
            if (!n)
                return 0;
            text = to + length;
        } else if (*format == '%') {
            text = written(format, n, time, piece, sizeof piece);
            if (!text)
                return 0;
            n = strlen(text);
        } else {
            text = format;
        }
        if (n >= size - length)
            return 0;
        memmove(to + length, text, n);
        length += n;
        format = next;
    }
    if (size > 0)
        to[length] = 0;
    return length;
}
