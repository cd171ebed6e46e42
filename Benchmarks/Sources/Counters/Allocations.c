#include "Counters.h"

#ifdef __linux__
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t count;

static void note(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { note(); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { note(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

uint64_t allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }
uint64_t heap_bytes_in_use(void) { struct mallinfo2 info = mallinfo2(); return info.uordblks + info.hblkhd; }
#else
uint64_t allocation_count(void) { return 0; }
uint64_t heap_bytes_in_use(void) { return 0; }
#endif
