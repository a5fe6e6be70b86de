/* Arguments: the path of a datagram socket that the host has bound, and the name of an abstract one. */
#include "attack.h"
#include <sys/socket.h>
#include <sys/un.h>

int main(int argc, char **argv) {
    int pair[2];
    if (argc < 3 || socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) return 1;
    struct sockaddr_un to = {.sun_family = AF_UNIX}, name = {.sun_family = AF_UNIX};
    strncpy(to.sun_path, argv[1], sizeof to.sun_path - 1);
    strncpy(name.sun_path + 1, argv[2], sizeof name.sun_path - 2);
    socklen_t name_len = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[2]);
    struct iovec part = {"out", 3};
    struct mmsghdr message = {.msg_hdr = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &part, .msg_iovlen = 1}};
    ATTACK("sendto", SYS_sendto, pair[0], "out", 3, 0, &to, sizeof to);
    ATTACK("sendto an abstract name", SYS_sendto, pair[0], "out", 3, 0, &name, name_len);
    ATTACK("sendmsg", SYS_sendmsg, pair[0], &message.msg_hdr, 0, 0, 0, 0);
    ATTACK("sendmmsg", SYS_sendmmsg, pair[0], &message, 1, 0, 0, 0);
    ATTACK("connect", SYS_connect, pair[0], &to, sizeof to, 0, 0, 0);
    ATTACK("bind", SYS_bind, pair[0], &name, name_len, 0, 0, 0);
    ATTACK("socket", SYS_socket, AF_UNIX, SOCK_DGRAM, 0, 0, 0, 0);
    ATTACK("internet socket", SYS_socket, AF_INET, SOCK_STREAM, 0, 0, 0, 0);
    ATTACK("netlink socket", SYS_socket, AF_NETLINK, SOCK_RAW, 0, 0, 0, 0);
    ATTACK("pair of another family", SYS_socketpair, AF_INET, SOCK_STREAM, 0, pair, 0, 0);
    /* Within the pair everything goes on. */
    struct msghdr inside = {.msg_iov = &part, .msg_iovlen = 1};
    char got[8];
    if (send(pair[0], "in", 2, 0) != 2 || recv(pair[1], got, sizeof got, 0) != 2) printf("SUCCEEDED breaking send\n");
#ifndef ENTRY
    if (sendmsg(pair[0], &inside, 0) != 3 || recv(pair[1], got, sizeof got, 0) != 3) printf("SUCCEEDED breaking sendmsg\n");
#endif
    end();
    return 0;
}
