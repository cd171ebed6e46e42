// Decompresses with zlib, on which libcurl depends.
#if defined(__linux__)
#include "functions.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

enum { Z_NO_FLUSH = 0 };
enum { Z_BUF_ERROR = -5, Z_OK = 0, Z_STREAM_END = 1 };

static struct ccurl_zlib_functions zlib;  // written once, by `load`
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

struct ccurl_inflater {
    struct ccurl_stream stream;
};

static void load(void) {
    is_loaded = ccurl_look_up_zlib(&zlib);
}

int ccurl_can_inflate(void) {
    pthread_once(&once, load);
    return is_loaded;
}

ccurl_inflater *ccurl_inflater_make(int window_bits) {
    if (!ccurl_can_inflate()) {
        return NULL;
    }
    ccurl_inflater *inflater = calloc(1, sizeof *inflater);
    if (inflater && zlib.init(&inflater->stream, window_bits, zlib.version(), (int)sizeof inflater->stream) != Z_OK) {
        free(inflater);
        return NULL;
    }
    return inflater;
}

void ccurl_inflater_free(ccurl_inflater *inflater) {
    if (inflater) {
        zlib.end(&inflater->stream);
        free(inflater);
    }
}

void ccurl_inflater_restart(ccurl_inflater *inflater) {
    zlib.reset(&inflater->stream);
}

static unsigned int clamped(size_t size) {
    return size < UINT_MAX ? (unsigned int)size : UINT_MAX;
}

enum ccurl_inflate_status ccurl_inflate(
    ccurl_inflater *inflater, const void *input, size_t *input_size, void *output, size_t *output_size) {
    struct ccurl_stream *stream = &inflater->stream;
    unsigned int offered = clamped(*input_size), room = clamped(*output_size);
    stream->next_in = input;
    stream->avail_in = offered;
    stream->next_out = output;
    stream->avail_out = room;
    int status = zlib.run(stream, Z_NO_FLUSH);
    *input_size = offered - stream->avail_in;
    *output_size = room - stream->avail_out;
    switch (status) {
    case Z_OK:
    case Z_BUF_ERROR:  // no progress without more input or room
        return CCURL_INFLATE_MORE;
    case Z_STREAM_END:
        return CCURL_INFLATE_END;
    default:
        return CCURL_INFLATE_DAMAGED;
    }
}
#endif
