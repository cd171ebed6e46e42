// To be preloaded: a machine on which libcurl cannot be opened at run time. What is linked to it is not affected.
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
