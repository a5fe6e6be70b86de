#define _GNU_SOURCE
#include "files.h"

#include <sys/socket.h>

int library_socketpair(int domain, int type, int protocol, int ends[2]) LIBRARY(socketpair);

int socketpair(int domain, int type, int protocol, int ends[2]) {
    __tine_read_back();
    return library_socketpair(domain, type, protocol, ends);
}
