#include "files.h"

#include <poll.h>

int library_poll(struct pollfd *polls, nfds_t n, int timeout) LIBRARY(poll);

/* Files are always ready. */
int poll(struct pollfd *polls, nfds_t n, int timeout) {
    int ready = 0;
    for (nfds_t i = 0; i < n; i++)
        ready += opening_of(polls[i].fd) != NULL;
    if (!ready)
        return library_poll(polls, n, timeout);
    struct pollfd *others = own_malloc(n * sizeof *others);
    if (!others)
        return fails(ENOMEM);
    for (nfds_t i = 0; i < n; i++) {
        others[i] = polls[i];
        if (opening_of(polls[i].fd))
            others[i].fd = -1;
    }
    int found = library_poll(others, n, 0);
    for (nfds_t i = 0; i < n; i++) {
        if (opening_of(polls[i].fd)) {
            polls[i].revents = polls[i].events & (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM);
            ready -= !polls[i].revents;
        } else {
            polls[i].revents = others[i].revents;
        }
    }
    free(others);
    return found < 0 ? found : found + ready;
}
