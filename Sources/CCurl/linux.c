// Functions of Linux for the event loop that Swift's Glibc module does not export.
#if defined(__linux__)
#define _GNU_SOURCE
#include "CCurl.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int ccurl_epoll_make(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int ccurl_eventfd_make(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int ccurl_socket_make(const struct ccurl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

enum { MOST_READS = 64 };  // a limit, because the peer may send as fast as this function reads

void ccurl_socket_end(int socket) {
    char bytes[4096];
    shutdown(socket, SHUT_RDWR);
    for (int i = 0; i < MOST_READS && recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0; i++) {
    }
}

enum input { INPUT_NONE, INPUT_BYTES, INPUT_END };

// Returns the kind of input that is unread in a socket. An error counts as the end.
static enum input peek(int socket) {
    char byte;
    ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count > 0) {
        return INPUT_BYTES;
    }
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? INPUT_NONE : INPUT_END;
}

int ccurl_socket_is_quiet(int socket) {
    return peek(socket) == INPUT_NONE;
}

int ccurl_socket_has_ended(int socket) {
    return peek(socket) == INPUT_END;
}

int ccurl_socket_port(int socket) {
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
        struct sockaddr_storage storage;
    } address = {.storage = {.ss_family = AF_UNSPEC}};
    socklen_t length = sizeof address;
    getsockname(socket, &address.any, &length);
    switch (address.any.sa_family) {
    case AF_INET: return ntohs(address.ipv4.sin_port);
    case AF_INET6: return ntohs(address.ipv6.sin6_port);
    default: return 0;
    }
}

static int control(int epoll, int operation, int descriptor, int what) {
    struct epoll_event event = {.events = 0, .data = {.fd = descriptor}};
    if (what & CCURL_POLL_IN) {
        event.events |= EPOLLIN;
    }
    if (what & CCURL_POLL_OUT) {
        event.events |= EPOLLOUT;
    }
    return epoll_ctl(epoll, operation, descriptor, &event) == 0 ? 0 : errno;
}

int ccurl_epoll_add(int epoll, int descriptor, int what) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, what);
}

int ccurl_epoll_change(int epoll, int descriptor, int what) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, what);
}

void ccurl_epoll_remove(int epoll, int descriptor) {
    control(epoll, EPOLL_CTL_DEL, descriptor, 0);
}

enum { MOST_EVENTS = 64 };

int ccurl_epoll_wait(int epoll, struct ccurl_event *events, int capacity, int milliseconds) {
    struct epoll_event ready[MOST_EVENTS];
    int count = epoll_wait(epoll, ready, capacity < MOST_EVENTS ? capacity : MOST_EVENTS, milliseconds);
    for (int i = 0; i < count; i++) {
        uint32_t mask = ready[i].events;
        events[i].descriptor = ready[i].data.fd;
        events[i].events = (mask & EPOLLIN ? CCURL_CSELECT_IN : 0) | (mask & EPOLLOUT ? CCURL_CSELECT_OUT : 0)
            | (mask & (EPOLLERR | EPOLLHUP) ? CCURL_CSELECT_ERR : 0);
    }
    return count > 0 ? count : 0;
}

void ccurl_eventfd_signal(int descriptor) {
    eventfd_write(descriptor, 1);
}

void ccurl_eventfd_clear(int descriptor) {
    eventfd_t value;
    eventfd_read(descriptor, &value);
}

void ccurl_block_signals(void) {
    sigset_t blocked;
    sigfillset(&blocked);
    static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGSEGV, SIGSYS, SIGTRAP};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigdelset(&blocked, faults[i]);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
}

#endif
