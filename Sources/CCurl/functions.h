// The functions of libcurl that CCurl calls, with compatible types. In curl.h, `CURL`, `CURLM` and `CURLSH`
// are `void`, `CURLcode` is an unsigned enumeration, and `CURLMcode` a signed one.
#ifndef CCURL_FUNCTIONS_H
#define CCURL_FUNCTIONS_H
#if defined(__linux__)

#include "CCurl.h"

struct ccurl_message {
    int msg;
    void *easy;
    union {
        void *whatever;
        unsigned int result;
    } data;
};

enum { CCURL_MESSAGE_DONE = 1 };
enum { CCURL_GLOBAL_ALL = 3 };
enum { CCURL_VERSION_FIRST = 0 };
enum { CCURL_SHARE_OPT_SHARE = 1, CCURL_LOCK_DATA_COOKIE = 2 };

// The structure to which `CURLINFO_TLS_SSL_PTR` points.
struct ccurl_tls_session {
    int backend;
    void *internals;
};

enum { CCURL_BACKEND_OPENSSL = 1, CCURL_BACKEND_GNUTLS = 2 };

// `gnutls_datum_t`
struct ccurl_gnutls_datum {
    unsigned char *bytes;
    unsigned int size;
};

// The fields that all versions of the structure have.
struct ccurl_version_info {
    unsigned int age;
    const char *version;
    unsigned int version_num;
    const char *host;
    int features;
    const char *ssl_version;
};

#define CCURL_FUNCTIONS(F) \
    F(global_init, unsigned int, (long)) \
    F(version_info, struct ccurl_version_info *, (unsigned int)) \
    F(easy_init, void *, (void)) \
    F(easy_cleanup, void, (void *)) \
    F(easy_reset, void, (void *)) \
    F(easy_pause, unsigned int, (void *, int)) \
    F(easy_setopt, unsigned int, (void *, unsigned int, ...)) \
    F(easy_getinfo, unsigned int, (void *, unsigned int, ...)) \
    F(easy_strerror, const char *, (unsigned int)) \
    F(slist_append, struct ccurl_slist *, (struct ccurl_slist *, const char *)) \
    F(slist_free_all, void, (struct ccurl_slist *)) \
    F(share_init, void *, (void)) \
    F(share_setopt, unsigned int, (void *, unsigned int, ...)) \
    F(share_cleanup, unsigned int, (void *)) \
    F(multi_init, void *, (void)) \
    F(multi_cleanup, int, (void *)) \
    F(multi_add_handle, int, (void *, void *)) \
    F(multi_remove_handle, int, (void *, void *)) \
    F(multi_socket_action, int, (void *, int, int, int *)) \
    F(multi_setopt, int, (void *, unsigned int, ...)) \
    F(multi_info_read, struct ccurl_message *, (void *, int *))

struct ccurl_functions {
#define CCURL_DECLARE(name, result, parameters) result (*name) parameters;
    CCURL_FUNCTIONS(CCURL_DECLARE)
#undef CCURL_DECLARE
};

// A function is NULL if its TLS library lacks it or is not loaded.
struct ccurl_tls_functions {
    int (*openssl_initialise)(uint64_t, const void *);
    int (*openssl_has_pending)(const void *);
    int (*openssl_shutdown)(const void *);
    void (*openssl_protocol)(const void *, const unsigned char **, unsigned int *);
    size_t (*gnutls_has_pending)(void *);
    int (*gnutls_protocol)(void *, struct ccurl_gnutls_datum *);
};

// `z_stream` of zlib.h. `inflateInit2_` receives its size, and rejects a stream of another size.
struct ccurl_stream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

struct ccurl_zlib_functions {
    const char *(*version)(void);
    int (*init)(struct ccurl_stream *, int, const char *, int);
    int (*run)(struct ccurl_stream *, int);
    int (*reset)(struct ccurl_stream *);
    int (*end)(struct ccurl_stream *);
};

// Defined in opened.c for libraries that are opened at run time, and in linked.c for libraries with which the program is
// linked.

// Returns the libcurl with this file name; NULL if it cannot be opened. A linked libcurl has every name.
void *ccurl_library(const char *name);

// Looks up the functions of a library and of the libraries on which it depends. Returns 0 if a function of libcurl is
// missing.
int ccurl_look_up(void *library, struct ccurl_functions *curl, struct ccurl_tls_functions *tls);

// Returns 0 if zlib or one of its functions is missing.
int ccurl_look_up_zlib(struct ccurl_zlib_functions *zlib);

#endif
#endif
