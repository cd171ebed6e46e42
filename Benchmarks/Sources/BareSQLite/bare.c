#include "BareSQLite.h"

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bare_database {
    sqlite3 *handle;
    sqlite3_stmt *begin, *end, *write, *read;
};

static void check(sqlite3 *handle, int is_right) {
    if (is_right) return;
    fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(handle));
    abort();
}

static void run(sqlite3 *handle, const char *sql) { check(handle, sqlite3_exec(handle, sql, 0, 0, 0) == SQLITE_OK); }

static sqlite3_stmt *prepare(sqlite3 *handle, const char *sql) {
    sqlite3_stmt *statement;
    check(handle, sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0) == SQLITE_OK);
    return statement;
}

static void finish(sqlite3 *handle, sqlite3_stmt *statement) {
    check(handle, sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_reset(statement);
}

// 32 bytes in no order, as the keys of the store are.
static void make_key(uint64_t number, uint64_t key[4]) {
    for (int part = 0; part < 4; part++) {
        uint64_t mixed = part < 2 ? 7 : number * 4 + part;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
        key[part] = mixed ^ mixed >> 31;
    }
}

struct bare_database *bare_open(const char *path) {
    struct bare_database *database = malloc(sizeof *database);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    check(0, sqlite3_open_v2(path, &database->handle, flags, 0) == SQLITE_OK);
    sqlite3 *handle = database->handle;
    run(handle, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                "PRAGMA wal_autocheckpoint = 1024; PRAGMA journal_size_limit = 8388608; PRAGMA secure_delete = FAST;"
                "PRAGMA cache_size = -4000; PRAGMA cell_size_check = ON;"
                "CREATE TABLE IF NOT EXISTS record (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)");
    database->begin = prepare(handle, "BEGIN");
    database->end = prepare(handle, "COMMIT");
    database->write = prepare(handle, "REPLACE INTO record VALUES (?, ?)");
    database->read = prepare(handle, "SELECT value FROM record WHERE key = ?");
    return database;
}

void bare_close(struct bare_database *database) {
    sqlite3_finalize(database->begin);
    sqlite3_finalize(database->end);
    sqlite3_finalize(database->write);
    sqlite3_finalize(database->read);
    check(database->handle, sqlite3_close(database->handle) == SQLITE_OK);
    free(database);
}

void bare_write(struct bare_database *database, uint64_t first, uint64_t count, const void *const *values, int length) {
    finish(database->handle, database->begin);
    for (uint64_t index = 0; index < count; index++) {
        uint64_t key[4];
        make_key(first + index, key);
        sqlite3_bind_blob(database->write, 1, key, sizeof key, SQLITE_STATIC);
        sqlite3_bind_blob(database->write, 2, values[index], length, SQLITE_STATIC);
        finish(database->handle, database->write);
    }
    finish(database->handle, database->end);
}

void bare_flush(struct bare_database *database) {
    run(database->handle, "PRAGMA synchronous = FULL; PRAGMA user_version = 1; PRAGMA synchronous = NORMAL");
}

int bare_read(struct bare_database *database, uint64_t number, void *value) {
    uint64_t key[4];
    make_key(number, key);
    sqlite3_bind_blob(database->read, 1, key, sizeof key, SQLITE_STATIC);
    check(database->handle, sqlite3_step(database->read) == SQLITE_ROW);
    int length = sqlite3_column_bytes(database->read, 0);
    memcpy(value, sqlite3_column_blob(database->read, 0), length);
    sqlite3_reset(database->read);
    return length;
}

void bare_begin(struct bare_database *database) { finish(database->handle, database->begin); }
void bare_end(struct bare_database *database) { finish(database->handle, database->end); }
#endif
