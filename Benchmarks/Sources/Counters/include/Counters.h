/// What a process can count about itself, and what a tool that watches it needs to see.
#pragma once
#include <stdint.h>

/// Heap allocations by all threads of the process so far (Linux; elsewhere 0): this target stands in front of the C
/// library's allocator.
uint64_t allocation_count(void);

/// Bytes in use on the heap, as the C library accounts for them (Linux; elsewhere 0).
uint64_t heap_bytes_in_use(void);

/// Empty functions between whose calls an instruction counter finds what is to be counted.
void counted_region_begins(void);
void counted_region_ends(void);
