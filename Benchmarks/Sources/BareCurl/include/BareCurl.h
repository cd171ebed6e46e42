// What a C programmer would write on libcurl's multi interface, as its documentation shows, or one who has measured where its time goes: the
// rows that the transport is measured against.
// Empty wherever the transport is not built.
#ifndef BARE_CURL_H
#define BARE_CURL_H
#if defined(__linux__)

#include <stddef.h>

struct bare_client;

// A client that keeps this many requests in flight over as many connections, 64 at most. `ca_file` and `unix_socket` may be NULL. NULL
// without libcurl.so.4. With `keeps_sockets`, a connection that libcurl drops between two requests stays in the epoll set, which saves two
// system calls for each request. For one thread at a time.
struct bare_client *bare_client_make(int in_flight, int keeps_sockets, const char *ca_file, const char *unix_socket);

// Sends `count` GET requests for `url`; the number of answers with status 200 and a decoded body of `size` bytes.
long bare_client_run(struct bare_client *client, const char *url, long count, size_t size);

void bare_client_free(struct bare_client *client);

#endif
#endif
