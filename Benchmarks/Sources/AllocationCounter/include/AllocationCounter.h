/// Counts heap allocations by standing in front of the C library's allocator (Linux; elsewhere the counts stay 0).
#pragma once
#include <stdint.h>

/// Allocations by all threads of the process so far.
uint64_t allocation_count(void);

/// Bytes in use on the heap, as the C library accounts for them.
uint64_t heap_bytes_in_use(void);
