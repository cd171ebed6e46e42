// A table of keys and values in SQLite, as plainly as its C interface allows, with the settings of `SQLiteRecordStore`.
#include <stdint.h>

struct bare_database;

struct bare_database *bare_open(const char *path);
void bare_close(struct bare_database *database);
// One transaction: `count` values of `length` bytes each, for the keys from `first` on.
void bare_write(struct bare_database *database, uint64_t first, uint64_t count, const void *const *values, int length);
// Synchronizes the log with the disk.
void bare_flush(struct bare_database *database);
// Copies the value of a key, and returns its length.
int bare_read(struct bare_database *database, uint64_t number, void *value);
// Brackets for several reads.
void bare_begin(struct bare_database *database);
void bare_end(struct bare_database *database);
