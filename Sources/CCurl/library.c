// Loads libcurl and passes calls on to it.
#if defined(__linux__)
#include "functions.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ccurl_functions curl;  // written once, under the lock, before the library counts as loaded
static const struct ccurl_version_info *version;
static struct ccurl_tls_functions tls;  // written with `curl`

enum { OLDEST_VERSION = 0x073e00 };  // 7.62

// `OPENSSL_INIT_NO_ATEXIT` of openssl/crypto.h. It has an effect only before any other use of OpenSSL.
enum { OPENSSL_NO_CLEANUP = 0x00080000 };

static enum ccurl_status open_library(void *library) {
    struct ccurl_functions functions;
    struct ccurl_tls_functions tls_functions;
    if (!ccurl_look_up(library, &functions, &tls_functions)) {
        return CCURL_TOO_OLD;
    }
    const struct ccurl_version_info *info = functions.version_info(CCURL_VERSION_FIRST);
    if (!info || info->version_num < OLDEST_VERSION) {
        return CCURL_TOO_OLD;
    }
    if (tls_functions.openssl_initialise) {
        tls_functions.openssl_initialise(OPENSSL_NO_CLEANUP, NULL);
    }
    if (functions.global_init(CCURL_GLOBAL_ALL) != CCURL_OK) {
        return CCURL_UNUSABLE;
    }
    curl = functions;
    tls = tls_functions;
    version = info;
    return CCURL_LOADED;
}

enum ccurl_status ccurl_load(const char *const names[], size_t count) {
    enum ccurl_status status = CCURL_NOT_FOUND;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && status != CCURL_LOADED; i++) {
        void *library = ccurl_library(names[i]);
        if (library) {
            status = version ? CCURL_LOADED : open_library(library);
        }
    }
    pthread_mutex_unlock(&lock);
    return status;
}

const char *ccurl_version(void) {
    return version ? version->version : NULL;
}

unsigned int ccurl_version_number(void) {
    return version ? version->version_num : 0;
}

const char *ccurl_tls_version(void) {
    return version ? version->ssl_version : NULL;
}

ccurl_easy *ccurl_easy_make(void) {
    return curl.easy_init();
}

void ccurl_easy_cleanup(ccurl_easy *easy) {
    curl.easy_cleanup(easy);
}

void ccurl_easy_reset(ccurl_easy *easy) {
    curl.easy_reset(easy);
}

int ccurl_easy_pause(ccurl_easy *easy, int mask) {
    return (int)curl.easy_pause(easy, mask);
}

const char *ccurl_text(int code) {
    return curl.easy_strerror((unsigned int)code);
}

#define SETTER(name, type) \
    int name(ccurl_easy *easy, enum ccurl_option option, type value) { return (int)curl.easy_setopt(easy, option, value); }
SETTER(ccurl_set_long, long)
SETTER(ccurl_set_offset, int64_t)
SETTER(ccurl_set_text, const char *)
SETTER(ccurl_set_bytes, const void *)
SETTER(ccurl_set_data, void *)
SETTER(ccurl_set_list, struct ccurl_slist *)
SETTER(ccurl_set_io, ccurl_io_callback)
#undef SETTER

int ccurl_set_share(ccurl_easy *easy, ccurl_share *value) {
    return (int)curl.easy_setopt(easy, CCURL_OPT_SHARE, value);
}

int ccurl_set_seek(ccurl_easy *easy, ccurl_seek_callback value) {
    return (int)curl.easy_setopt(easy, CCURL_OPT_SEEKFUNCTION, value);
}

int ccurl_set_open_socket(ccurl_easy *easy, ccurl_open_socket_callback value) {
    return (int)curl.easy_setopt(easy, CCURL_OPT_OPENSOCKETFUNCTION, value);
}

int ccurl_set_close_socket(ccurl_easy *easy, ccurl_close_socket_callback value) {
    return (int)curl.easy_setopt(easy, CCURL_OPT_CLOSESOCKETFUNCTION, value);
}

int ccurl_set_prerequest(ccurl_easy *easy, ccurl_prerequest_callback value) {
    return (int)curl.easy_setopt(easy, CCURL_OPT_PREREQFUNCTION, value);
}

int ccurl_set_resolver_start(ccurl_easy *easy, ccurl_resolver_start_callback value) {
    return (int)curl.easy_setopt(easy, CCURL_OPT_RESOLVER_START_FUNCTION, value);
}

long ccurl_get_long(ccurl_easy *easy, enum ccurl_info info) {
    long value = 0;
    return curl.easy_getinfo(easy, info, &value) == CCURL_OK ? value : 0;
}

int64_t ccurl_get_offset(ccurl_easy *easy, enum ccurl_info info) {
    int64_t value = 0;
    return curl.easy_getinfo(easy, info, &value) == CCURL_OK ? value : 0;
}

void *ccurl_get_private(ccurl_easy *easy) {
    void *value = NULL;
    return curl.easy_getinfo(easy, CCURL_INFO_PRIVATE, &value) == CCURL_OK ? value : NULL;
}

struct ccurl_slist *ccurl_get_cookies(ccurl_easy *easy) {
    struct ccurl_slist *list = NULL;
    return curl.easy_getinfo(easy, CCURL_INFO_COOKIELIST, &list) == CCURL_OK ? list : NULL;
}

static int is_http2(const unsigned char *name, unsigned int size) {
    return size == 2 && memcmp(name, "h2", 2) == 0;
}

static enum ccurl_tls_state openssl_state(const void *session) {
    const unsigned char *name = NULL;
    unsigned int size = 0;
    if (!tls.openssl_has_pending || !tls.openssl_protocol) {
        return CCURL_TLS_UNKNOWN;
    }
    tls.openssl_protocol(session, &name, &size);
    return is_http2(name, size) ? CCURL_TLS_HTTP2 : tls.openssl_has_pending(session) ? CCURL_TLS_PENDING : CCURL_TLS_QUIET;
}

static enum ccurl_tls_state gnutls_state(void *session) {
    struct ccurl_gnutls_datum name = {NULL, 0};
    if (!tls.gnutls_has_pending || !tls.gnutls_protocol) {
        return CCURL_TLS_UNKNOWN;
    }
    if (tls.gnutls_protocol(session, &name) == 0 && is_http2(name.bytes, name.size)) {
        return CCURL_TLS_HTTP2;
    }
    return tls.gnutls_has_pending(session) ? CCURL_TLS_PENDING : CCURL_TLS_QUIET;
}

// Returns the TLS session of the handle's connection, in the form of the TLS library; NULL without TLS.
static const struct ccurl_tls_session *tls_session(ccurl_easy *easy) {
    struct ccurl_tls_session *session = NULL;
    int is_known = curl.easy_getinfo(easy, CCURL_INFO_TLS_SSL_PTR, &session) == CCURL_OK;
    return is_known && session && session->internals ? session : NULL;
}

enum ccurl_tls_state ccurl_get_tls_state(ccurl_easy *easy) {
    const struct ccurl_tls_session *session = tls_session(easy);
    if (!session) {
        return CCURL_TLS_UNKNOWN;
    }
    switch (session->backend) {
    case CCURL_BACKEND_OPENSSL: return openssl_state(session->internals);
    case CCURL_BACKEND_GNUTLS: return gnutls_state(session->internals);
    default: return CCURL_TLS_UNKNOWN;
    }
}

int ccurl_tls_is_open(ccurl_easy *easy) {
    enum { RECEIVED_SHUTDOWN = 2 };
    const struct ccurl_tls_session *session = tls_session(easy);
    return session && session->backend == CCURL_BACKEND_OPENSSL && tls.openssl_shutdown
        && !(tls.openssl_shutdown(session->internals) & RECEIVED_SHUTDOWN);
}

struct ccurl_slist *ccurl_slist_append(struct ccurl_slist *list, const char *line) {
    return curl.slist_append(list, line);
}

void ccurl_slist_free(struct ccurl_slist *list) {
    curl.slist_free_all(list);
}

ccurl_share *ccurl_cookie_share_make(void) {
    void *share = curl.share_init();
    if (share && curl.share_setopt(share, CCURL_SHARE_OPT_SHARE, CCURL_LOCK_DATA_COOKIE) != 0) {
        curl.share_cleanup(share);
        return NULL;
    }
    return share;
}

void ccurl_share_cleanup(ccurl_share *share) {
    curl.share_cleanup(share);
}

ccurl_multi *ccurl_multi_make(void) {
    return curl.multi_init();
}

void ccurl_multi_cleanup(ccurl_multi *multi) {
    curl.multi_cleanup(multi);
}

int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy) {
    return curl.multi_add_handle(multi, easy);
}

int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy) {
    return curl.multi_remove_handle(multi, easy);
}

int ccurl_multi_action(ccurl_multi *multi, int socket, int events) {
    int running;
    return curl.multi_socket_action(multi, socket, events, &running);
}

int ccurl_multi_set_long(ccurl_multi *multi, enum ccurl_multi_option option, long value) {
    return curl.multi_setopt(multi, option, value);
}

int ccurl_multi_set_data(ccurl_multi *multi, enum ccurl_multi_option option, void *value) {
    return curl.multi_setopt(multi, option, value);
}

int ccurl_multi_set_socket(ccurl_multi *multi, ccurl_socket_callback value) {
    return curl.multi_setopt(multi, CCURL_MULTI_OPT_SOCKETFUNCTION, value);
}

int ccurl_multi_set_timer(ccurl_multi *multi, ccurl_timer_callback value) {
    return curl.multi_setopt(multi, CCURL_MULTI_OPT_TIMERFUNCTION, value);
}

ccurl_easy *ccurl_multi_next_done(ccurl_multi *multi, int *code) {
    int left;
    struct ccurl_message *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->msg == CCURL_MESSAGE_DONE) {
            *code = (int)message->data.result;
            return message->easy;
        }
    }
    return NULL;
}

#endif
