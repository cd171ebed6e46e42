// Declarations of libcurl, without its headers and without linking it. Its interface has not changed since the release
// of libcurl.so.4 in 2006. This header declares only the names in use. .ci/curl-header checks them against curl.h, and
// they are looked up at run time.
// This header is empty on platforms where the transport is not built.
#ifndef CCURL_H
#define CCURL_H
#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>

// MARK: Opening the library

enum ccurl_status {
    CCURL_LOADED,
    CCURL_NOT_FOUND,  // no library with one of these names
    CCURL_TOO_OLD,    // older than 7.62, or without its functions
    CCURL_UNUSABLE    // its global initialization failed
};

// Opens the first existing library of `names`, unless a library is already open. Any thread may call it, more than
// once. A failure changes nothing. OpenSSL is first told not to register its clean-up at exit, which would race with
// running exchanges.
enum ccurl_status ccurl_load(const char *const names[], size_t count);

// The loaded library's version as text and as 0xXXYYZZ, and its TLS library. NULL and 0 before a library is loaded.
const char *ccurl_version(void);
unsigned int ccurl_version_number(void);
const char *ccurl_tls_version(void);

// MARK: Constants, as in curl.h

// Types of options start at: LONG 0, OBJECT 10000, FUNCTION 20000, OFF_T 30000.
enum ccurl_option {
    CCURL_OPT_WRITEDATA = 10001,
    CCURL_OPT_URL = 10002,
    CCURL_OPT_PROXY = 10004,
    CCURL_OPT_READDATA = 10009,
    CCURL_OPT_ERRORBUFFER = 10010,
    CCURL_OPT_WRITEFUNCTION = 20011,
    CCURL_OPT_READFUNCTION = 20012,
    CCURL_OPT_USERAGENT = 10018,
    CCURL_OPT_COOKIE = 10022,
    CCURL_OPT_HTTPHEADER = 10023,
    CCURL_OPT_SSLCERT = 10025,
    CCURL_OPT_KEYPASSWD = 10026,
    CCURL_OPT_HEADERDATA = 10029,
    CCURL_OPT_COOKIEFILE = 10031,
    CCURL_OPT_SSLVERSION = 32,
    CCURL_OPT_CUSTOMREQUEST = 10036,
    CCURL_OPT_NOPROGRESS = 43,
    CCURL_OPT_NOBODY = 44,
    CCURL_OPT_UPLOAD = 46,
    CCURL_OPT_POST = 47,
    CCURL_OPT_FOLLOWLOCATION = 52,
    CCURL_OPT_CAINFO = 10065,
    CCURL_OPT_HEADERFUNCTION = 20079,
    CCURL_OPT_HTTPGET = 80,
    CCURL_OPT_FRESH_CONNECT = 74,
    CCURL_OPT_FORBID_REUSE = 75,
    CCURL_OPT_HTTP_VERSION = 84,
    CCURL_OPT_SSLKEY = 10087,
    CCURL_OPT_BUFFERSIZE = 98,
    CCURL_OPT_CAPATH = 10097,
    CCURL_OPT_NOSIGNAL = 99,
    CCURL_OPT_SHARE = 10100,
    CCURL_OPT_ACCEPT_ENCODING = 10102,
    CCURL_OPT_PRIVATE = 10103,
    CCURL_OPT_INFILESIZE_LARGE = 30115,
    CCURL_OPT_POSTFIELDSIZE_LARGE = 30120,
    CCURL_OPT_HTTPAUTH = 107,
    CCURL_OPT_COOKIELIST = 10135,
    CCURL_OPT_CONNECTTIMEOUT_MS = 156,
    CCURL_OPT_HTTP_CONTENT_DECODING = 158,
    CCURL_OPT_OPENSOCKETFUNCTION = 20163,
    CCURL_OPT_OPENSOCKETDATA = 10164,
    CCURL_OPT_COPYPOSTFIELDS = 10165,
    CCURL_OPT_SEEKFUNCTION = 20167,
    CCURL_OPT_SEEKDATA = 10168,
    CCURL_OPT_USERNAME = 10173,
    CCURL_OPT_PASSWORD = 10174,
    CCURL_OPT_NOPROXY = 10177,
    CCURL_OPT_PROTOCOLS = 181,
    CCURL_OPT_RESOLVE = 10203,
    CCURL_OPT_PINNEDPUBLICKEY = 10230,
    CCURL_OPT_UNIX_SOCKET_PATH = 10231,
    CCURL_OPT_CLOSESOCKETFUNCTION = 20208,
    CCURL_OPT_CLOSESOCKETDATA = 10209,
    CCURL_OPT_PATH_AS_IS = 234,
    CCURL_OPT_PIPEWAIT = 237,
    CCURL_OPT_SUPPRESS_CONNECT_HEADERS = 265,
    CCURL_OPT_RESOLVER_START_FUNCTION = 20272,
    CCURL_OPT_RESOLVER_START_DATA = 10273,
    CCURL_OPT_HTTP09_ALLOWED = 285,  // 7.64
    CCURL_OPT_PREREQFUNCTION = 20312, // 7.80
    CCURL_OPT_PREREQDATA = 10313,     // 7.80
    CCURL_OPT_QUICK_EXIT = 322       // 7.87
};

enum ccurl_multi_option {
    CCURL_MULTI_OPT_SOCKETFUNCTION = 20001,
    CCURL_MULTI_OPT_SOCKETDATA = 10002,
    CCURL_MULTI_OPT_PIPELINING = 3,
    CCURL_MULTI_OPT_TIMERFUNCTION = 20004,
    CCURL_MULTI_OPT_TIMERDATA = 10005,
    CCURL_MULTI_OPT_MAXCONNECTS = 6,
    CCURL_MULTI_OPT_MAX_HOST_CONNECTIONS = 7,
    CCURL_MULTI_OPT_MAX_TOTAL_CONNECTIONS = 13
};

enum ccurl_info {
    CCURL_INFO_RESPONSE_CODE = 0x200002,
    CCURL_INFO_HEADER_SIZE = 0x20000B,
    CCURL_INFO_SSL_VERIFYRESULT = 0x20000D,
    CCURL_INFO_PRIVATE = 0x100015,
    CCURL_INFO_OS_ERRNO = 0x200019,
    CCURL_INFO_NUM_CONNECTS = 0x20001A,
    CCURL_INFO_COOKIELIST = 0x40001C,
    CCURL_INFO_TLS_SSL_PTR = 0x40002D,
    CCURL_INFO_SIZE_UPLOAD_T = 0x600007,
    CCURL_INFO_SIZE_DOWNLOAD_T = 0x600008,
    CCURL_INFO_CONTENT_LENGTH_DOWNLOAD_T = 0x60000F,
    CCURL_INFO_TOTAL_TIME_T = 0x600032,
    CCURL_INFO_NAMELOOKUP_TIME_T = 0x600033,
    CCURL_INFO_CONNECT_TIME_T = 0x600034,
    CCURL_INFO_PRETRANSFER_TIME_T = 0x600035,
    CCURL_INFO_STARTTRANSFER_TIME_T = 0x600036,
    CCURL_INFO_APPCONNECT_TIME_T = 0x600038
};

enum ccurl_code {
    CCURL_OK = 0,
    CCURL_UNSUPPORTED_PROTOCOL = 1,
    CCURL_URL_MALFORMAT = 3,
    CCURL_COULDNT_RESOLVE_PROXY = 5,
    CCURL_COULDNT_RESOLVE_HOST = 6,
    CCURL_COULDNT_CONNECT = 7,
    CCURL_WEIRD_SERVER_REPLY = 8,
    CCURL_HTTP2 = 16,
    CCURL_PARTIAL_FILE = 18,
    CCURL_WRITE_ERROR = 23,
    CCURL_OUT_OF_MEMORY = 27,
    CCURL_OPERATION_TIMEDOUT = 28,
    CCURL_SSL_CONNECT_ERROR = 35,
    CCURL_ABORTED_BY_CALLBACK = 42,
    CCURL_GOT_NOTHING = 52,
    CCURL_SSL_ENGINE_NOTFOUND = 53,
    CCURL_SEND_ERROR = 55,
    CCURL_RECV_ERROR = 56,
    CCURL_SSL_CERTPROBLEM = 58,
    CCURL_SSL_CIPHER = 59,
    CCURL_PEER_FAILED_VERIFICATION = 60,
    CCURL_BAD_CONTENT_ENCODING = 61,
    CCURL_SEND_FAIL_REWIND = 65,
    CCURL_SSL_CACERT_BADFILE = 77,
    CCURL_SSL_ISSUER_ERROR = 83,
    CCURL_SSL_PINNEDPUBKEYNOTMATCH = 90,
    CCURL_SSL_INVALIDCERTSTATUS = 91,
    CCURL_HTTP2_STREAM = 92,
    CCURL_PROXY = 97,          // 7.73
    CCURL_SSL_CLIENTCERT = 98, // 7.77
    CCURL_TOO_LARGE = 100      // 8.6
};

enum { CCURL_ERROR_SIZE = 256 };
enum { CCURL_HTTP_VERSION_1_1 = 2, CCURL_HTTP_VERSION_2TLS = 4, CCURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE = 5 };
enum { CCURL_SSLVERSION_TLSV1_2 = 6 };
enum { CCURL_AUTH_DIGEST = 2, CCURL_AUTH_BEARER = 64 };
enum { CCURL_PROTO_HTTP = 1, CCURL_PROTO_HTTPS = 2 };
enum { CCURL_PIPE_MULTIPLEX = 2 };
enum { CCURL_READFUNC_ABORT = 0x10000000, CCURL_READFUNC_PAUSE = 0x10000001, CCURL_WRITEFUNC_PAUSE = 0x10000001 };
enum { CCURL_SEEKFUNC_OK = 0, CCURL_SEEKFUNC_FAIL = 1 };
enum { CCURL_PREREQFUNC_OK = 0, CCURL_PREREQFUNC_ABORT = 1 };
enum { CCURL_PAUSE_RECV = 1, CCURL_PAUSE_CONT = 0 };
enum { CCURL_POLL_IN = 1, CCURL_POLL_OUT = 2, CCURL_POLL_INOUT = 3, CCURL_POLL_REMOVE = 4 };
enum { CCURL_CSELECT_IN = 1, CCURL_CSELECT_OUT = 2, CCURL_CSELECT_ERR = 4 };
enum { CCURL_SOCKET_TIMEOUT = -1 };

// MARK: Functions, which may only be called after a library was loaded

typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_share ccurl_share;

struct ccurl_slist {
    char *data;
    struct ccurl_slist *next;
};

struct ccurl_sockaddr {
    int family;
    int socktype;
    int protocol;
    unsigned int addrlen;
    // followed by the address
};

typedef size_t (*ccurl_io_callback)(char *bytes, size_t size, size_t count, void *data);
typedef int (*ccurl_seek_callback)(void *data, int64_t offset, int origin);
typedef int (*ccurl_open_socket_callback)(void *data, int purpose, struct ccurl_sockaddr *address);
typedef int (*ccurl_close_socket_callback)(void *data, int socket);
typedef int (*ccurl_prerequest_callback)(void *data, char *ip, char *local_ip, int port, int local_port);
typedef int (*ccurl_resolver_start_callback)(void *resolver, void *reserved, void *data);
typedef int (*ccurl_socket_callback)(ccurl_easy *easy, int socket, int what, void *data, void *socket_data);
typedef int (*ccurl_timer_callback)(ccurl_multi *multi, long milliseconds, void *data);

ccurl_easy *ccurl_easy_make(void);
void ccurl_easy_cleanup(ccurl_easy *easy);
void ccurl_easy_reset(ccurl_easy *easy);
int ccurl_easy_pause(ccurl_easy *easy, int mask);
const char *ccurl_text(int code);

// Each function sets an option of the type in its name, and returns a `ccurl_code`.
int ccurl_set_long(ccurl_easy *easy, enum ccurl_option option, long value);
int ccurl_set_offset(ccurl_easy *easy, enum ccurl_option option, int64_t value);
int ccurl_set_text(ccurl_easy *easy, enum ccurl_option option, const char *value);
int ccurl_set_bytes(ccurl_easy *easy, enum ccurl_option option, const void *value);
int ccurl_set_data(ccurl_easy *easy, enum ccurl_option option, void *value);
int ccurl_set_list(ccurl_easy *easy, enum ccurl_option option, struct ccurl_slist *value);
int ccurl_set_share(ccurl_easy *easy, ccurl_share *value);
int ccurl_set_io(ccurl_easy *easy, enum ccurl_option option, ccurl_io_callback value);
int ccurl_set_seek(ccurl_easy *easy, ccurl_seek_callback value);
int ccurl_set_open_socket(ccurl_easy *easy, ccurl_open_socket_callback value);
int ccurl_set_close_socket(ccurl_easy *easy, ccurl_close_socket_callback value);
int ccurl_set_prerequest(ccurl_easy *easy, ccurl_prerequest_callback value);
int ccurl_set_resolver_start(ccurl_easy *easy, ccurl_resolver_start_callback value);

// Each function returns 0 or NULL if the library does not know the value.
long ccurl_get_long(ccurl_easy *easy, enum ccurl_info info);
int64_t ccurl_get_offset(ccurl_easy *easy, enum ccurl_info info);
void *ccurl_get_private(ccurl_easy *easy);

// Returns a copy of the handle's cookies, as lines in Netscape's format; NULL if there are none.
struct ccurl_slist *ccurl_get_cookies(ccurl_easy *easy);

// The state of a handle's current TLS connection, as its TLS library reports it. TLS libraries other than OpenSSL and
// GnuTLS are unknown.
enum ccurl_tls_state {
    CCURL_TLS_UNKNOWN,
    CCURL_TLS_QUIET,    // the TLS library holds no unread bytes
    CCURL_TLS_PENDING,  // it holds unread bytes, which the socket no longer shows
    CCURL_TLS_HTTP2     // both sides have agreed on HTTP/2
};
enum ccurl_tls_state ccurl_get_tls_state(ccurl_easy *easy);

// Returns 1 if the peer is known not to have ended TLS on the handle's current connection, according to the bytes read
// so far. Returns 0 with a TLS library other than OpenSSL.
int ccurl_tls_is_open(ccurl_easy *easy);

// Appends a copy of the line. Returns NULL if there is no memory; `list` is then unchanged.
struct ccurl_slist *ccurl_slist_append(struct ccurl_slist *list, const char *line);
void ccurl_slist_free(struct ccurl_slist *list);

// A share of cookies between handles of one thread.
ccurl_share *ccurl_cookie_share_make(void);
void ccurl_share_cleanup(ccurl_share *share);

ccurl_multi *ccurl_multi_make(void);
void ccurl_multi_cleanup(ccurl_multi *multi);
int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy);
int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy);
int ccurl_multi_action(ccurl_multi *multi, int socket, int events);
int ccurl_multi_set_long(ccurl_multi *multi, enum ccurl_multi_option option, long value);
int ccurl_multi_set_data(ccurl_multi *multi, enum ccurl_multi_option option, void *value);
int ccurl_multi_set_socket(ccurl_multi *multi, ccurl_socket_callback value);
int ccurl_multi_set_timer(ccurl_multi *multi, ccurl_timer_callback value);

// Returns the next exchange that has ended, and its `ccurl_code`; NULL if no exchange has ended.
ccurl_easy *ccurl_multi_next_done(ccurl_multi *multi, int *code);

// MARK: Decompression with zlib, on which libcurl depends

// Returns 1 if zlib could be opened. Any thread may call it.
int ccurl_can_inflate(void);

// A decompressor for one stream, used by one thread at a time. `window_bits` is the parameter of zlib's `inflateInit2`:
// 15 for the zlib format, -15 for raw deflate, 31 for gzip. NULL if zlib or memory is missing.
typedef struct ccurl_inflater ccurl_inflater;
ccurl_inflater *ccurl_inflater_make(int window_bits);
void ccurl_inflater_free(ccurl_inflater *inflater);

// Begins a new stream of the same format.
void ccurl_inflater_restart(ccurl_inflater *inflater);

enum ccurl_inflate_status {
    CCURL_INFLATE_MORE,    // the stream continues; more input or more room is needed
    CCURL_INFLATE_END,     // the stream is complete, and its checksum is right
    CCURL_INFLATE_DAMAGED
};

// Decompresses as much as input and room allow. On return, the sizes are the numbers of bytes consumed and produced.
enum ccurl_inflate_status ccurl_inflate(
    ccurl_inflater *inflater, const void *input, size_t *input_size, void *output, size_t *output_size);

// MARK: Functions of Linux for the event loop

struct ccurl_event {
    int descriptor;
    int events;  // CCURL_CSELECT_…
};

// Descriptors that are closed on exec; negative on failure.
int ccurl_epoll_make(void);
int ccurl_eventfd_make(void);
int ccurl_socket_make(const struct ccurl_sockaddr *address);

// Shuts down both directions of a connection and discards up to 256 KB of received bytes, so that libcurl does not
// reuse the connection.
void ccurl_socket_end(int socket);

// Returns 1 if a connection has no unread input: no bytes, and no end of the connection.
int ccurl_socket_is_quiet(int socket);

// Returns 1 if the peer has ended a connection, and all bytes have been read.
int ccurl_socket_has_ended(int socket);

// Returns the local port of a connection; 0 for a socket of the Unix domain.
int ccurl_socket_port(int socket);

// Starts, changes or ends the watch of a descriptor for CCURL_POLL_IN, _OUT or _INOUT. Returns 0 or an errno.
int ccurl_epoll_add(int epoll, int descriptor, int what);
int ccurl_epoll_change(int epoll, int descriptor, int what);
void ccurl_epoll_remove(int epoll, int descriptor);

// Waits for at most this number of milliseconds, or without a limit if it is negative. Returns the number of events; 0
// also after an interruption.
int ccurl_epoll_wait(int epoll, struct ccurl_event *events, int capacity, int milliseconds);

void ccurl_eventfd_signal(int descriptor);
void ccurl_eventfd_clear(int descriptor);

// Blocks signals to the process, and SIGPIPE, on the calling thread and on threads that it starts. SIGPROF and the
// signals of faults are not blocked.
void ccurl_block_signals(void);

#endif
#endif
