// A library to preload, which makes every attempt to open libcurl at run time fail. It does not affect programs that link libcurl.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

void *dlopen(const char *name, int flags) {
    static void *(*next)(const char *, int);
    if (name && strstr(name, "libcurl")) {
        return NULL;
    }
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    }
    return next(name, flags);
}
