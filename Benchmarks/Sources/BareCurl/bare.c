#if defined(__linux__)
#define _GNU_SOURCE
#include "BareCurl.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// MARK: libcurl, as curl.h has it

enum {
    OPT_WRITEDATA = 10001, OPT_URL = 10002, OPT_WRITEFUNCTION = 20011, OPT_CAINFO = 10065, OPT_HTTP_VERSION = 84, OPT_BUFFERSIZE = 98,
    OPT_NOSIGNAL = 99, OPT_ACCEPT_ENCODING = 10102, OPT_PRIVATE = 10103, OPT_OPENSOCKETFUNCTION = 20163, OPT_OPENSOCKETDATA = 10164,
    OPT_CLOSESOCKETFUNCTION = 20208, OPT_CLOSESOCKETDATA = 10209, OPT_UNIX_SOCKET_PATH = 10231, OPT_PIPEWAIT = 237,
    MULTI_SOCKETFUNCTION = 20001, MULTI_SOCKETDATA = 10002, MULTI_PIPELINING = 3, MULTI_TIMERFUNCTION = 20004, MULTI_TIMERDATA = 10005,
    MULTI_MAXCONNECTS = 6, MULTI_MAX_HOST_CONNECTIONS = 7,
    INFO_RESPONSE_CODE = 0x200002, INFO_PRIVATE = 0x100015,
    POLL_IN = 1, POLL_OUT = 2, POLL_INOUT = 3, CSELECT_IN = 1, CSELECT_OUT = 2, CSELECT_ERR = 4,
    HTTP_VERSION_2TLS = 4, PIPE_MULTIPLEX = 2, GLOBAL_ALL = 3,
};

struct message { int msg; void *easy; union { void *whatever; unsigned result; } data; };
struct address { int family, socktype, protocol; };

#define FUNCTIONS(F) \
    F(global_init, unsigned, (long)) F(easy_init, void *, (void)) F(easy_cleanup, void, (void *)) \
    F(easy_setopt, unsigned, (void *, unsigned, ...)) F(easy_getinfo, unsigned, (void *, unsigned, ...)) \
    F(multi_init, void *, (void)) F(multi_cleanup, int, (void *)) F(multi_setopt, int, (void *, unsigned, ...)) \
    F(multi_add_handle, int, (void *, void *)) F(multi_remove_handle, int, (void *, void *)) \
    F(multi_socket_action, int, (void *, int, int, int *)) F(multi_info_read, struct message *, (void *, int *))

#define DECLARE(name, result, parameters) static result (*curl_##name) parameters;
FUNCTIONS(DECLARE)

static int load(void) {
    static int is_loaded;
    if (is_loaded) {
        return 1;
    }
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
#define RESOLVE(name, result, parameters) \
    if (!library || !(*(void **)&curl_##name = dlsym(library, "curl_" #name))) { return 0; }
    FUNCTIONS(RESOLVE)
    return is_loaded = curl_global_init(GLOBAL_ALL) == 0;
}

// MARK: The client

enum { MOST_SOCKETS = 4096, MOST_EVENTS = 64 };

struct request {
    void *easy;
    char *bytes;
    size_t count, capacity;
};

struct bare_client {
    void *multi;
    int epoll, in_flight, keeps_sockets;
    int64_t timer;  // when libcurl wants to be called, in milliseconds; 0 for now, -1 for never
    unsigned char watched[MOST_SOCKETS], wanted[MOST_SOCKETS], is_connection[MOST_SOCKETS];
    struct request *requests;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void control(struct bare_client *client, int socket, int what) {
    struct epoll_event event = {.data = {.fd = socket}};
    event.events = (what & POLL_IN ? EPOLLIN : 0) | (what & POLL_OUT ? EPOLLOUT : 0);
    int operation = !what ? EPOLL_CTL_DEL : client->watched[socket] ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    epoll_ctl(client->epoll, operation, socket, &event);
    client->watched[socket] = (unsigned char)what;
}

// A connection that libcurl drops may stay in the set, because the next request takes it up again at once.
static int watch(void *easy, int socket, int what, void *data, void *unused) {
    struct bare_client *client = data;
    what &= POLL_INOUT;
    client->wanted[socket] = (unsigned char)what;
    if (what != client->watched[socket] && (what || !client->keeps_sockets || !client->is_connection[socket])) {
        control(client, socket, what);
    }
    return 0;
}

static int set_timer(void *multi, long milliseconds, void *data) {
    struct bare_client *client = data;
    client->timer = milliseconds > 0 ? now() + milliseconds : milliseconds;
    return 0;
}

static int open_socket(void *data, int purpose, struct address *address) {
    struct bare_client *client = data;
    int made = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (made >= MOST_SOCKETS) {
        close(made);
        return -1;
    }
    if (made >= 0) {
        client->is_connection[made] = 1;
    }
    return made;
}

static int close_socket(void *data, int socket) {
    struct bare_client *client = data;
    client->watched[socket] = client->wanted[socket] = client->is_connection[socket] = 0;  // the set loses it by itself
    return close(socket);
}

static size_t receive(char *bytes, size_t size, size_t count, void *data) {
    struct request *request = data;
    size_t needed = request->count + size * count;
    if (needed > request->capacity) {
        size_t capacity = needed > 2 * request->capacity ? needed : 2 * request->capacity;
        char *grown = realloc(request->bytes, capacity);
        if (!grown) {
            return 0;
        }
        request->bytes = grown;
        request->capacity = capacity;
    }
    memcpy(request->bytes + request->count, bytes, size * count);
    request->count = needed;
    return size * count;
}

static int prepare(struct bare_client *client, struct request *request, const char *ca_file, const char *unix_socket) {
    void *easy = request->easy = curl_easy_init();
    if (!easy) {
        return 0;
    }
    curl_easy_setopt(easy, OPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, OPT_BUFFERSIZE, 65536L);
    curl_easy_setopt(easy, OPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, OPT_HTTP_VERSION, (long)HTTP_VERSION_2TLS);
    curl_easy_setopt(easy, OPT_PRIVATE, request);
    curl_easy_setopt(easy, OPT_WRITEFUNCTION, receive);
    curl_easy_setopt(easy, OPT_WRITEDATA, request);
    curl_easy_setopt(easy, OPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, OPT_OPENSOCKETDATA, client);
    curl_easy_setopt(easy, OPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, OPT_CLOSESOCKETDATA, client);
    if (ca_file) {
        curl_easy_setopt(easy, OPT_CAINFO, ca_file);
        curl_easy_setopt(easy, OPT_PIPEWAIT, 1L);
    }
    if (unix_socket) {
        curl_easy_setopt(easy, OPT_UNIX_SOCKET_PATH, unix_socket);
    }
    return 1;
}

struct bare_client *bare_client_make(int in_flight, int keeps_sockets, const char *ca_file, const char *unix_socket) {
    if (!load()) {
        return NULL;
    }
    struct bare_client *client = calloc(1, sizeof *client);
    long connections = in_flight < 64 ? in_flight : 64;
    client->epoll = epoll_create1(EPOLL_CLOEXEC);
    client->in_flight = in_flight;
    client->keeps_sockets = keeps_sockets;
    client->timer = -1;
    client->requests = calloc((size_t)in_flight, sizeof *client->requests);
    client->multi = curl_multi_init();
    curl_multi_setopt(client->multi, MULTI_SOCKETFUNCTION, watch);
    curl_multi_setopt(client->multi, MULTI_SOCKETDATA, client);
    curl_multi_setopt(client->multi, MULTI_TIMERFUNCTION, set_timer);
    curl_multi_setopt(client->multi, MULTI_TIMERDATA, client);
    curl_multi_setopt(client->multi, MULTI_PIPELINING, (long)PIPE_MULTIPLEX);
    curl_multi_setopt(client->multi, MULTI_MAX_HOST_CONNECTIONS, connections);
    curl_multi_setopt(client->multi, MULTI_MAXCONNECTS, connections);
    for (int i = 0; i < in_flight; i++) {
        if (!prepare(client, &client->requests[i], ca_file, unix_socket)) {
            bare_client_free(client);
            return NULL;
        }
    }
    return client;
}

void bare_client_free(struct bare_client *client) {
    for (int i = 0; i < client->in_flight; i++) {
        if (client->requests[i].easy) {
            curl_easy_cleanup(client->requests[i].easy);
        }
        free(client->requests[i].bytes);
    }
    curl_multi_cleanup(client->multi);
    close(client->epoll);
    free(client->requests);
    free(client);
}

// MARK: The loop

// A long body is somebody else's from then on.
static void hand_over(struct request *request) {
    if (request->count > 16384) {
        free(request->bytes);
        request->bytes = NULL;
        request->capacity = 0;
    }
}

static void start(struct bare_client *client, struct request *request, const char *url) {
    request->count = 0;
    curl_easy_setopt(request->easy, OPT_URL, url);
    curl_multi_add_handle(client->multi, request->easy);
}

static int is_good(struct request *request, struct message *message, size_t size) {
    long status = 0;
    curl_easy_getinfo(request->easy, INFO_RESPONSE_CODE, &status);
    return message->data.result == 0 && status == 200 && request->count == size;
}

static void act(struct bare_client *client, struct epoll_event *event) {
    int socket = event->data.fd, running;
    if (!client->wanted[socket]) {
        return control(client, socket, 0);
    }
    int what = (event->events & EPOLLIN ? CSELECT_IN : 0) | (event->events & EPOLLOUT ? CSELECT_OUT : 0)
        | (event->events & (EPOLLERR | EPOLLHUP) ? CSELECT_ERR : 0);
    curl_multi_socket_action(client->multi, socket, what, &running);
}

static void turn(struct bare_client *client) {
    struct epoll_event events[MOST_EVENTS];
    int running;
    int64_t wait = client->timer > 0 ? client->timer - now() : client->timer;
    if (client->timer >= 0 && wait <= 0) {
        client->timer = -1;
        curl_multi_socket_action(client->multi, -1, 0, &running);
        return;
    }
    int count = epoll_wait(client->epoll, events, MOST_EVENTS, (int)wait);
    for (int i = 0; i < count; i++) {
        act(client, &events[i]);
    }
}

long bare_client_run(struct bare_client *client, const char *url, long count, size_t size) {
    long good = 0, done = 0, started = 0;
    for (; started < count && started < client->in_flight; started++) {
        start(client, &client->requests[started], url);
    }
    while (done < count) {
        turn(client);
        struct message *message;
        int left;
        while ((message = curl_multi_info_read(client->multi, &left))) {
            struct request *request = NULL;
            curl_easy_getinfo(message->easy, INFO_PRIVATE, &request);
            good += is_good(request, message, size);
            hand_over(request);
            done++;
            curl_multi_remove_handle(client->multi, request->easy);
            if (started < count) {
                started++;
                start(client, request, url);
            }
        }
    }
    return good;
}

#endif
