// Uses the libcurl and the zlib with which the program is linked. The package trait LinkedCurl selects this file.
#if defined(__linux__) && defined(CCURL_LINKED)
#include "functions.h"

#define DECLARE(name, result, parameters) extern result curl_##name parameters;
CCURL_FUNCTIONS(DECLARE)
#undef DECLARE

extern const char *zlibVersion(void);
extern int inflateInit2_(struct ccurl_stream *, int, const char *, int);
extern int inflate(struct ccurl_stream *, int);
extern int inflateReset(struct ccurl_stream *);
extern int inflateEnd(struct ccurl_stream *);

// libcurl determines which TLS libraries the program contains. The functions of others are NULL.
#define WEAK __attribute__((weak))
extern int OPENSSL_init_crypto(uint64_t, const void *) WEAK;
extern int SSL_has_pending(const void *) WEAK;
extern int SSL_get_shutdown(const void *) WEAK;
extern void SSL_get0_alpn_selected(const void *, const unsigned char **, unsigned int *) WEAK;
extern size_t gnutls_record_check_pending(void *) WEAK;
extern int gnutls_alpn_get_selected_protocol(void *, struct ccurl_gnutls_datum *) WEAK;

void *ccurl_library(const char *name) {
    static char linked;
    (void)name;
    return &linked;
}

int ccurl_look_up(void *library, struct ccurl_functions *curl, struct ccurl_tls_functions *tls) {
    (void)library;
#define ASSIGN(name, result, parameters) curl->name = curl_##name;
    CCURL_FUNCTIONS(ASSIGN)
#undef ASSIGN
    *tls = (struct ccurl_tls_functions){
        .openssl_initialise = OPENSSL_init_crypto,
        .openssl_has_pending = SSL_has_pending,
        .openssl_shutdown = SSL_get_shutdown,
        .openssl_protocol = SSL_get0_alpn_selected,
        .gnutls_has_pending = gnutls_record_check_pending,
        .gnutls_protocol = gnutls_alpn_get_selected_protocol,
    };
    return 1;
}

int ccurl_look_up_zlib(struct ccurl_zlib_functions *zlib) {
    *zlib = (struct ccurl_zlib_functions){
        .version = zlibVersion, .init = inflateInit2_, .run = inflate, .reset = inflateReset, .end = inflateEnd};
    return 1;
}
#endif
