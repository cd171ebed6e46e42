// Opens libcurl and zlib at run time.
#if defined(__linux__) && !defined(CCURL_LINKED)
#define _GNU_SOURCE
#include "functions.h"

#include <dlfcn.h>

#define LOOK_UP(library, function, name) (*(void **)&(function) = dlsym(library, name))

void *ccurl_library(const char *name) {
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);  // never closed: its threads may run until the process ends
}

int ccurl_look_up(void *library, struct ccurl_functions *curl, struct ccurl_tls_functions *tls) {
#define RESOLVE(name, result, parameters) \
    if (!LOOK_UP(library, curl->name, "curl_" #name)) { return 0; }
    CCURL_FUNCTIONS(RESOLVE)
#undef RESOLVE
    // `dlsym` also searches the library's dependencies.
    LOOK_UP(library, tls->openssl_initialise, "OPENSSL_init_crypto");
    LOOK_UP(library, tls->openssl_has_pending, "SSL_has_pending");
    LOOK_UP(library, tls->openssl_shutdown, "SSL_get_shutdown");
    LOOK_UP(library, tls->openssl_protocol, "SSL_get0_alpn_selected");
    LOOK_UP(library, tls->gnutls_has_pending, "gnutls_record_check_pending");
    LOOK_UP(library, tls->gnutls_protocol, "gnutls_alpn_get_selected_protocol");
    return 1;
}

int ccurl_look_up_zlib(struct ccurl_zlib_functions *zlib) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);  // never closed
    return library && LOOK_UP(library, zlib->version, "zlibVersion") && LOOK_UP(library, zlib->init, "inflateInit2_")
        && LOOK_UP(library, zlib->run, "inflate") && LOOK_UP(library, zlib->reset, "inflateReset")
        && LOOK_UP(library, zlib->end, "inflateEnd");
}
#endif
