/* curl/curl.h: libcurl's programming interface, version 8.22, as Mote implements it.
 *
 * One transfer at a time:   curl_easy_init(), curl_easy_setopt(), curl_easy_perform(), curl_easy_cleanup()
 * Many at once:             <curl/multi.h>
 * URLs, response headers:   <curl/urlapi.h>, <curl/header.h>
 * What Mote adds:           <mote/mote.h>
 *
 * Every function and option has a manual page of its name in libcurl's documentation. */
#ifndef CURLINC_CURL_H
#define CURLINC_CURL_H

#include "curlver.h"
#include "system.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#if defined(_WIN32)
#  include <winsock2.h>
#  include <ws2tcpip.h>
#else
#  include <sys/types.h>
#  include <sys/select.h>
#  include <sys/socket.h>
#  include <sys/time.h>
#endif

/* Attributes ------------------------------------------------------------------------------------------
 *
 * CURL_STATICLIB:          the library is linked statically (matters on Windows only)
 * CURL_DISABLE_DEPRECATION: no warnings about deprecated functions
 * CURL_NO_OLDIES:          leave out names that were replaced long ago */

#if defined(_WIN32) && !defined(CURL_STATICLIB)
#  ifdef BUILDING_LIBCURL
#    define CURL_EXTERN __declspec(dllexport)
#  else
#    define CURL_EXTERN __declspec(dllimport)
#  endif
#elif defined(__GNUC__) && !defined(_WIN32) && !defined(CURL_STATICLIB)
#  define CURL_EXTERN __attribute__((__visibility__("default")))
#else
#  define CURL_EXTERN
#endif

#ifdef __has_declspec_attribute
#  define CURL_HAS_DECLSPEC_ATTRIBUTE(x) __has_declspec_attribute(x)
#else
#  define CURL_HAS_DECLSPEC_ATTRIBUTE(x) 0
#endif

#if (defined(__clang__) || (defined(__GNUC__) && (__GNUC__ * 100 + __GNUC_MINOR__ >= 405))) && \
    !defined(CURL_DISABLE_DEPRECATION) && !defined(BUILDING_LIBCURL)
#  define CURL_DEPRECATED(version, message) \
     __attribute__((__deprecated__("since " #version ". " message)))
#  define CURL_IGNORE_DEPRECATION(statements) \
     _Pragma("GCC diagnostic push") \
     _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"") \
     statements \
     _Pragma("GCC diagnostic pop")
#else
#  define CURL_DEPRECATED(version, message)
#  define CURL_IGNORE_DEPRECATION(statements) statements
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Handles and sockets --------------------------------------------------------------------------------- */

typedef void CURL;
typedef void CURLSH;

#if defined(_WIN32)
typedef SOCKET curl_socket_t;
#  define CURL_SOCKET_BAD INVALID_SOCKET
#else
typedef int curl_socket_t;
#  define CURL_SOCKET_BAD -1
#endif

/* A list of strings, made by curl_slist_append(). */
struct curl_slist {
  char *data;
  struct curl_slist *next;
};

/* An application's memory functions; the same contracts as the C library's. */
typedef void *(*curl_malloc_callback)(size_t size);
typedef void (*curl_free_callback)(void *ptr);
typedef void *(*curl_realloc_callback)(void *ptr, size_t size);
typedef char *(*curl_strdup_callback)(const char *str);
typedef void *(*curl_calloc_callback)(size_t nmemb, size_t size);

/* Result codes ---------------------------------------------------------------------------------------- */

typedef enum {
  CURLE_OK = 0,
  CURLE_UNSUPPORTED_PROTOCOL = 1, /* the URL's scheme is not known, not built in, or not allowed */
  CURLE_FAILED_INIT = 2, /* the handle or the TLS library could not be set up */
  CURLE_URL_MALFORMAT = 3,
  CURLE_NOT_BUILT_IN = 4, /* the feature is not in this build */
  CURLE_COULDNT_RESOLVE_PROXY = 5,
  CURLE_COULDNT_RESOLVE_HOST = 6,
  CURLE_COULDNT_CONNECT = 7,
  CURLE_WEIRD_SERVER_REPLY = 8, /* what the server said makes no sense */
  CURLE_REMOTE_ACCESS_DENIED = 9,
  CURLE_FTP_ACCEPT_FAILED = 10,
  CURLE_FTP_WEIRD_PASS_REPLY = 11,
  CURLE_FTP_ACCEPT_TIMEOUT = 12,
  CURLE_FTP_WEIRD_PASV_REPLY = 13,
  CURLE_FTP_WEIRD_227_FORMAT = 14,
  CURLE_FTP_CANT_GET_HOST = 15,
  CURLE_HTTP2 = 16, /* an error of HTTP/2 framing */
  CURLE_FTP_COULDNT_SET_TYPE = 17,
  CURLE_PARTIAL_FILE = 18, /* the connection ended before the last byte */
  CURLE_FTP_COULDNT_RETR_FILE = 19,
  CURLE_OBSOLETE20 = 20,
  CURLE_QUOTE_ERROR = 21, /* a CURLOPT_QUOTE command was refused */
  CURLE_HTTP_RETURNED_ERROR = 22, /* status 400 or higher, with CURLOPT_FAILONERROR */
  CURLE_WRITE_ERROR = 23, /* the write callback, or writing a file, failed */
  CURLE_OBSOLETE24 = 24,
  CURLE_UPLOAD_FAILED = 25, /* the server refuses the upload */
  CURLE_READ_ERROR = 26, /* the read callback, or reading a file, failed */
  CURLE_OUT_OF_MEMORY = 27,
  CURLE_OPERATION_TIMEDOUT = 28, /* a deadline passed */
  CURLE_OBSOLETE29 = 29,
  CURLE_FTP_PORT_FAILED = 30,
  CURLE_FTP_COULDNT_USE_REST = 31,
  CURLE_OBSOLETE32 = 32,
  CURLE_RANGE_ERROR = 33, /* the server cannot do byte ranges */
  CURLE_OBSOLETE34 = 34,
  CURLE_SSL_CONNECT_ERROR = 35, /* the TLS handshake failed */
  CURLE_BAD_DOWNLOAD_RESUME = 36,
  CURLE_FILE_COULDNT_READ_FILE = 37, /* a file:// URL cannot be opened */
  CURLE_LDAP_CANNOT_BIND = 38,
  CURLE_LDAP_SEARCH_FAILED = 39,
  CURLE_OBSOLETE40 = 40,
  CURLE_OBSOLETE41 = 41,
  CURLE_ABORTED_BY_CALLBACK = 42,
  CURLE_BAD_FUNCTION_ARGUMENT = 43,
  CURLE_OBSOLETE44 = 44,
  CURLE_INTERFACE_FAILED = 45, /* CURLOPT_INTERFACE cannot be used */
  CURLE_OBSOLETE46 = 46,
  CURLE_TOO_MANY_REDIRECTS = 47, /* more than CURLOPT_MAXREDIRS */
  CURLE_UNKNOWN_OPTION = 48,
  CURLE_SETOPT_OPTION_SYNTAX = 49, /* an option's text is malformed */
  CURLE_OBSOLETE50 = 50,
  CURLE_OBSOLETE51 = 51,
  CURLE_GOT_NOTHING = 52, /* the server closed without an answer */
  CURLE_SSL_ENGINE_NOTFOUND = 53,
  CURLE_SSL_ENGINE_SETFAILED = 54,
  CURLE_SEND_ERROR = 55,
  CURLE_RECV_ERROR = 56,
  CURLE_OBSOLETE57 = 57,
  CURLE_SSL_CERTPROBLEM = 58, /* the client certificate */
  CURLE_SSL_CIPHER = 59,
  CURLE_PEER_FAILED_VERIFICATION = 60, /* the server's certificate, or its SSH fingerprint */
  CURLE_BAD_CONTENT_ENCODING = 61,
  CURLE_OBSOLETE62 = 62,
  CURLE_FILESIZE_EXCEEDED = 63, /* larger than CURLOPT_MAXFILESIZE */
  CURLE_USE_SSL_FAILED = 64, /* CURLOPT_USE_SSL cannot be had */
  CURLE_SEND_FAIL_REWIND = 65, /* the upload must be sent again and cannot be rewound */
  CURLE_SSL_ENGINE_INITFAILED = 66,
  CURLE_LOGIN_DENIED = 67,
  CURLE_TFTP_NOTFOUND = 68,
  CURLE_TFTP_PERM = 69,
  CURLE_REMOTE_DISK_FULL = 70,
  CURLE_TFTP_ILLEGAL = 71,
  CURLE_TFTP_UNKNOWNID = 72,
  CURLE_REMOTE_FILE_EXISTS = 73,
  CURLE_TFTP_NOSUCHUSER = 74,
  CURLE_OBSOLETE75 = 75,
  CURLE_OBSOLETE76 = 76,
  CURLE_SSL_CACERT_BADFILE = 77,
  CURLE_REMOTE_FILE_NOT_FOUND = 78,
  CURLE_SSH = 79,
  CURLE_SSL_SHUTDOWN_FAILED = 80,
  CURLE_AGAIN = 81, /* curl_easy_send() and curl_easy_recv(): wait for the socket */
  CURLE_SSL_CRL_BADFILE = 82,
  CURLE_SSL_ISSUER_ERROR = 83, /* not CURLOPT_ISSUERCERT */
  CURLE_FTP_PRET_FAILED = 84,
  CURLE_RTSP_CSEQ_ERROR = 85,
  CURLE_RTSP_SESSION_ERROR = 86,
  CURLE_FTP_BAD_FILE_LIST = 87,
  CURLE_CHUNK_FAILED = 88, /* a chunk callback failed */
  CURLE_NO_CONNECTION_AVAILABLE = 89, /* internal: the transfer waits in a queue */
  CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
  CURLE_SSL_INVALIDCERTSTATUS = 91, /* the stapled OCSP answer */
  CURLE_HTTP2_STREAM = 92, /* an error of one HTTP/2 stream */
  CURLE_RECURSIVE_API_CALL = 93, /* not from inside a callback */
  CURLE_AUTH_ERROR = 94,
  CURLE_HTTP3 = 95,
  CURLE_QUIC_CONNECT_ERROR = 96,
  CURLE_PROXY = 97, /* CURLINFO_PROXY_ERROR tells why */
  CURLE_SSL_CLIENTCERT = 98, /* the server wants a client certificate */
  CURLE_UNRECOVERABLE_POLL = 99, /* poll() or its like failed */
  CURLE_TOO_LARGE = 100, /* a value is over its limit */
  CURLE_ECH_REQUIRED = 101, /* Encrypted Client Hello failed */
  CURL_LAST = 102
} CURLcode;

#ifndef CURL_NO_OLDIES
/* Earlier names of the same numbers. */
#define CURLE_URL_MALFORMAT_USER CURLE_NOT_BUILT_IN
#define CURLE_FTP_WEIRD_SERVER_REPLY CURLE_WEIRD_SERVER_REPLY
#define CURLE_FTP_ACCESS_DENIED CURLE_REMOTE_ACCESS_DENIED
#define CURLE_FTP_USER_PASSWORD_INCORRECT CURLE_FTP_ACCEPT_FAILED
#define CURLE_FTP_WEIRD_USER_REPLY CURLE_FTP_ACCEPT_TIMEOUT
#define CURLE_FTP_CANT_RECONNECT CURLE_HTTP2
#define CURLE_FTP_COULDNT_SET_BINARY CURLE_FTP_COULDNT_SET_TYPE
#define CURLE_FTP_PARTIAL_FILE CURLE_PARTIAL_FILE
#define CURLE_FTP_WRITE_ERROR CURLE_OBSOLETE20
#define CURLE_FTP_QUOTE_ERROR CURLE_QUOTE_ERROR
#define CURLE_HTTP_NOT_FOUND CURLE_HTTP_RETURNED_ERROR
#define CURLE_MALFORMAT_USER CURLE_OBSOLETE24
#define CURLE_FTP_COULDNT_STOR_FILE CURLE_UPLOAD_FAILED
#define CURLE_OPERATION_TIMEOUTED CURLE_OPERATION_TIMEDOUT
#define CURLE_FTP_COULDNT_SET_ASCII CURLE_OBSOLETE29
#define CURLE_FTP_COULDNT_GET_SIZE CURLE_OBSOLETE32
#define CURLE_HTTP_RANGE_ERROR CURLE_RANGE_ERROR
#define CURLE_HTTP_POST_ERROR CURLE_OBSOLETE34
#define CURLE_FTP_BAD_DOWNLOAD_RESUME CURLE_BAD_DOWNLOAD_RESUME
#define CURLE_LIBRARY_NOT_FOUND CURLE_OBSOLETE40
#define CURLE_FUNCTION_NOT_FOUND CURLE_OBSOLETE41
#define CURLE_BAD_CALLING_ORDER CURLE_OBSOLETE44
#define CURLE_HTTP_PORT_FAILED CURLE_INTERFACE_FAILED
#define CURLE_BAD_PASSWORD_ENTERED CURLE_OBSOLETE46
#define CURLE_UNKNOWN_TELNET_OPTION CURLE_UNKNOWN_OPTION
#define CURLE_TELNET_OPTION_SYNTAX CURLE_SETOPT_OPTION_SYNTAX
#define CURLE_SHARE_IN_USE CURLE_OBSOLETE57
#define CURLE_SSL_CACERT CURLE_PEER_FAILED_VERIFICATION
#define CURLE_SSL_PEER_CERTIFICATE CURLE_PEER_FAILED_VERIFICATION
#define CURLE_LDAP_INVALID_URL CURLE_OBSOLETE62
#define CURLE_FTP_SSL_FAILED CURLE_USE_SSL_FAILED
#define CURLE_TFTP_DISKFULL CURLE_REMOTE_DISK_FULL
#define CURLE_TFTP_EXISTS CURLE_REMOTE_FILE_EXISTS
#define CURLE_CONV_FAILED CURLE_OBSOLETE75
#define CURLE_CONV_REQD CURLE_OBSOLETE76
#define CURLE_ALREADY_COMPLETE 99999
#endif

/* Why a proxy refused, from CURLINFO_PROXY_ERROR after CURLE_PROXY. */
typedef enum {
  CURLPX_OK = 0,
  CURLPX_BAD_ADDRESS_TYPE = 1,
  CURLPX_BAD_VERSION = 2,
  CURLPX_CLOSED = 3,
  CURLPX_GSSAPI = 4,
  CURLPX_GSSAPI_PERMSG = 5,
  CURLPX_GSSAPI_PROTECTION = 6,
  CURLPX_IDENTD = 7,
  CURLPX_IDENTD_DIFFER = 8,
  CURLPX_LONG_HOSTNAME = 9,
  CURLPX_LONG_PASSWD = 10,
  CURLPX_LONG_USER = 11,
  CURLPX_NO_AUTH = 12,
  CURLPX_RECV_ADDRESS = 13,
  CURLPX_RECV_AUTH = 14,
  CURLPX_RECV_CONNECT = 15,
  CURLPX_RECV_REQACK = 16,
  CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED = 17,
  CURLPX_REPLY_COMMAND_NOT_SUPPORTED = 18,
  CURLPX_REPLY_CONNECTION_REFUSED = 19,
  CURLPX_REPLY_GENERAL_SERVER_FAILURE = 20,
  CURLPX_REPLY_HOST_UNREACHABLE = 21,
  CURLPX_REPLY_NETWORK_UNREACHABLE = 22,
  CURLPX_REPLY_NOT_ALLOWED = 23,
  CURLPX_REPLY_TTL_EXPIRED = 24,
  CURLPX_REPLY_UNASSIGNED = 25,
  CURLPX_REQUEST_FAILED = 26,
  CURLPX_RESOLVE_HOST = 27,
  CURLPX_SEND_AUTH = 28,
  CURLPX_SEND_CONNECT = 29,
  CURLPX_SEND_REQUEST = 30,
  CURLPX_UNKNOWN_FAIL = 31,
  CURLPX_UNKNOWN_MODE = 32,
  CURLPX_USER_REJECTED = 33,
  CURLPX_LAST = 34
} CURLproxycode;

/* Size of the buffer for CURLOPT_ERRORBUFFER. */
#define CURL_ERROR_SIZE 256

/* A constant text. */
CURL_EXTERN const char *curl_easy_strerror(CURLcode error);

/* Callbacks of a transfer ----------------------------------------------------------------------------- */

/* A write callback gets at most CURL_MAX_WRITE_SIZE bytes, a header callback a line of at most
 * CURL_MAX_HTTP_HEADER bytes. CURL_MAX_READ_SIZE is the largest CURLOPT_BUFFERSIZE. */
#define CURL_MAX_READ_SIZE (10 * 1024 * 1024)
#define CURL_MAX_WRITE_SIZE 16384
#define CURL_MAX_HTTP_HEADER (100 * 1024)

/* Takes size * nitems bytes and returns how many it took; fewer ends the transfer with CURLE_WRITE_ERROR,
 * unless it is CURL_WRITEFUNC_PAUSE: then the same bytes come again after curl_easy_pause(). */
typedef size_t (*curl_write_callback)(char *buffer, size_t size, size_t nitems, void *outstream);
#define CURL_WRITEFUNC_PAUSE 0x10000001
#define CURL_WRITEFUNC_ERROR 0xFFFFFFFF

/* Puts at most size * nitems bytes into buffer and returns how many; 0 is the end of the upload. */
typedef size_t (*curl_read_callback)(char *buffer, size_t size, size_t nitems, void *instream);
#define CURL_READFUNC_ABORT 0x10000000
#define CURL_READFUNC_PAUSE 0x10000001

/* Goes to a place in the upload; origin is SEEK_SET. */
typedef int (*curl_seek_callback)(void *instream, curl_off_t offset, int origin);
#define CURL_SEEKFUNC_OK 0
#define CURL_SEEKFUNC_FAIL 1     /* ends the transfer */
#define CURL_SEEKFUNC_CANTSEEK 2 /* the library may read and drop bytes instead */

/* Totals are 0 while they are not known. Anything but 0 ends the transfer; CURL_PROGRESSFUNC_CONTINUE
 * has the library's own progress meter run as well. */
typedef int (*curl_xferinfo_callback)(void *clientp, curl_off_t dltotal, curl_off_t dlnow,
                                      curl_off_t ultotal, curl_off_t ulnow);
typedef int (*curl_progress_callback)(void *clientp, double dltotal, double dlnow, double ultotal,
                                      double ulnow);
#define CURL_PROGRESSFUNC_CONTINUE 0x10000001

/* Adds trailer fields for a chunked upload; the library frees the list. */
typedef int (*curl_trailer_callback)(struct curl_slist **list, void *userdata);
#define CURL_TRAILERFUNC_OK 0
#define CURL_TRAILERFUNC_ABORT 1

/* The connection is there and the request not sent yet. */
typedef int (*curl_prereq_callback)(void *clientp, char *conn_primary_ip, char *conn_local_ip,
                                    int conn_primary_port, int conn_local_port);
#define CURL_PREREQFUNC_OK 0
#define CURL_PREREQFUNC_ABORT 1

typedef enum {
  CURLINFO_TEXT = 0, /* the library's remarks */
  CURLINFO_HEADER_IN = 1,
  CURLINFO_HEADER_OUT = 2,
  CURLINFO_DATA_IN = 3,
  CURLINFO_DATA_OUT = 4,
  CURLINFO_SSL_DATA_IN = 5,
  CURLINFO_SSL_DATA_OUT = 6,
  CURLINFO_END = 7
} curl_infotype;

/* Gets what passes by; the bytes are not a C string. Must return 0. */
typedef int (*curl_debug_callback)(CURL *handle, curl_infotype type, char *data, size_t size, void *userptr);

/* Before the address of a host is looked up. Anything but 0 ends the transfer. */
typedef int (*curl_resolver_start_callback)(void *resolver_state, void *reserved, void *userdata);

/* Before CURLOPT_SEEKFUNCTION. */
typedef enum {
  CURLIOE_OK = 0,
  CURLIOE_UNKNOWNCMD = 1,
  CURLIOE_FAILRESTART = 2,
  CURLIOE_LAST = 3
} curlioerr;

typedef enum {
  CURLIOCMD_NOP = 0,
  CURLIOCMD_RESTARTREAD = 1,
  CURLIOCMD_LAST = 2
} curliocmd;

typedef curlioerr (*curl_ioctl_callback)(CURL *handle, int cmd, void *clientp);

/* Never called any more. */
typedef CURLcode (*curl_conv_callback)(char *buffer, size_t length);

/* Sets up a TLS context; ssl_ctx is the TLS library's own (OpenSSL: SSL_CTX *). */
typedef CURLcode (*curl_ssl_ctx_callback)(CURL *curl, void *ssl_ctx, void *userptr);

/* Sockets of the application -------------------------------------------------------------------------- */

typedef enum {
  CURLSOCKTYPE_IPCXN = 0,  /* to connect */
  CURLSOCKTYPE_ACCEPT = 1, /* accepted: an active FTP data connection */
  CURLSOCKTYPE_LAST = 2
} curlsocktype;

typedef int (*curl_sockopt_callback)(void *clientp, curl_socket_t curlfd, curlsocktype purpose);
#define CURL_SOCKOPT_OK 0
#define CURL_SOCKOPT_ERROR 1             /* close the socket: CURLE_ABORTED_BY_CALLBACK */
#define CURL_SOCKOPT_ALREADY_CONNECTED 2 /* the application has connected it */

/* Room for any address: addr goes on for addrlen bytes. */
struct curl_sockaddr {
  int family;
  int socktype;
  int protocol;
  unsigned int addrlen;
  struct sockaddr addr;
};

/* CURL_SOCKET_BAD for an error. */
typedef curl_socket_t (*curl_opensocket_callback)(void *clientp, curlsocktype purpose,
                                                  struct curl_sockaddr *address);
typedef int (*curl_closesocket_callback)(void *clientp, curl_socket_t item);

/* Wildcard downloads by FTP --------------------------------------------------------------------------- */

typedef enum {
  CURLFILETYPE_FILE = 0,
  CURLFILETYPE_DIRECTORY = 1,
  CURLFILETYPE_SYMLINK = 2,
  CURLFILETYPE_DEVICE_BLOCK = 3,
  CURLFILETYPE_DEVICE_CHAR = 4,
  CURLFILETYPE_NAMEDPIPE = 5,
  CURLFILETYPE_SOCKET = 6,
  CURLFILETYPE_DOOR = 7,
  CURLFILETYPE_UNKNOWN = 8
} curlfiletype;

/* What is known about a file of a listing. */
#define CURLFINFOFLAG_KNOWN_FILENAME (1 << 0)
#define CURLFINFOFLAG_KNOWN_FILETYPE (1 << 1)
#define CURLFINFOFLAG_KNOWN_TIME (1 << 2)
#define CURLFINFOFLAG_KNOWN_PERM (1 << 3)
#define CURLFINFOFLAG_KNOWN_UID (1 << 4)
#define CURLFINFOFLAG_KNOWN_GID (1 << 5)
#define CURLFINFOFLAG_KNOWN_SIZE (1 << 6)
#define CURLFINFOFLAG_KNOWN_HLINKCOUNT (1 << 7)

/* A file of a listing; valid until the chunk callback returns. */
struct curl_fileinfo {
  char *filename;
  curlfiletype filetype;
  time_t time;        /* always 0: the text is in strings.time */
  unsigned int perm;  /* permission bits */
  int uid;
  int gid;
  curl_off_t size;    /* bytes */
  long int hardlinks;
  struct {            /* as the server wrote them; NULL when not known */
    char *time;
    char *perm;
    char *user;
    char *group;
    char *target;     /* of a symbolic link */
  } strings;
  unsigned int flags; /* CURLFINFOFLAG_KNOWN_* */

  /* The library's. */
  char *b_data;
  size_t b_size;
  size_t b_used;
};

/* transfer_info is a struct curl_fileinfo; remains: files after this one. */
typedef long (*curl_chunk_bgn_callback)(const void *transfer_info, void *ptr, int remains);
#define CURL_CHUNK_BGN_FUNC_OK 0
#define CURL_CHUNK_BGN_FUNC_FAIL 1
#define CURL_CHUNK_BGN_FUNC_SKIP 2

typedef long (*curl_chunk_end_callback)(void *ptr);
#define CURL_CHUNK_END_FUNC_OK 0
#define CURL_CHUNK_END_FUNC_FAIL 1

typedef int (*curl_fnmatch_callback)(void *ptr, const char *pattern, const char *string);
#define CURL_FNMATCHFUNC_MATCH 0
#define CURL_FNMATCHFUNC_NOMATCH 1
#define CURL_FNMATCHFUNC_FAIL 2

/* Host keys of SSH ------------------------------------------------------------------------------------ */

enum curl_khtype {
  CURLKHTYPE_UNKNOWN = 0,
  CURLKHTYPE_RSA1 = 1,
  CURLKHTYPE_RSA = 2,
  CURLKHTYPE_DSS = 3,
  CURLKHTYPE_ECDSA = 4,
  CURLKHTYPE_ED25519 = 5
};

struct curl_khkey {
  const char *key; /* base64, NUL-terminated, when len is 0; otherwise raw */
  size_t len;
  enum curl_khtype keytype;
};

enum curl_khstat {
  CURLKHSTAT_FINE_ADD_TO_FILE = 0, /* go on, and remember the key */
  CURLKHSTAT_FINE = 1,             /* go on */
  CURLKHSTAT_REJECT = 2,           /* end the connection */
  CURLKHSTAT_DEFER = 3,            /* not connected, but the connection is kept for another decision */
  CURLKHSTAT_FINE_REPLACE = 4,     /* go on, and replace the wrong key in the file */
  CURLKHSTAT_LAST = 5
};

enum curl_khmatch {
  CURLKHMATCH_OK = 0,
  CURLKHMATCH_MISMATCH = 1, /* another key is known for this host */
  CURLKHMATCH_MISSING = 2,  /* no key is known */
  CURLKHMATCH_LAST = 3
};

/* Returns an enum curl_khstat. */
typedef int (*curl_sshkeycallback)(CURL *easy, const struct curl_khkey *knownkey,
                                   const struct curl_khkey *foundkey, enum curl_khmatch, void *clientp);

/* Returns a CURLKHMATCH_* value. */
typedef int (*curl_sshhostkeycallback)(void *clientp, int keytype, const char *key, size_t keylen);

/* HSTS entries of the application --------------------------------------------------------------------- */

struct curl_hstsentry {
  char *name;                         /* host name; reading: a buffer of namelen bytes for it */
  size_t namelen;
  unsigned int includeSubDomains : 1;
  char expire[18];                    /* "YYYYMMDD HH:MM:SS" in UTC; "" never */
};

struct curl_index {
  size_t index; /* of this entry */
  size_t total;
};

typedef enum {
  CURLSTS_OK = 0,
  CURLSTS_DONE = 1, /* reading: no more entries */
  CURLSTS_FAIL = 2  /* ends the transfer */
} CURLSTScode;

typedef CURLSTScode (*curl_hstsread_callback)(CURL *easy, struct curl_hstsentry *e, void *userp);
typedef CURLSTScode (*curl_hstswrite_callback)(CURL *easy, struct curl_hstsentry *e, struct curl_index *i,
                                               void *userp);

/* Options of a transfer ------------------------------------------------------------------------------- */

/* The thousands of an option's number tell what its argument is. */
#define CURLOPTTYPE_LONG 0
#define CURLOPTTYPE_OBJECTPOINT 10000
#define CURLOPTTYPE_FUNCTIONPOINT 20000
#define CURLOPTTYPE_OFF_T 30000
#define CURLOPTTYPE_BLOB 40000

/* Finer names of the same classes. */
#define CURLOPTTYPE_STRINGPOINT CURLOPTTYPE_OBJECTPOINT
#define CURLOPTTYPE_SLISTPOINT CURLOPTTYPE_OBJECTPOINT
#define CURLOPTTYPE_CBPOINT CURLOPTTYPE_OBJECTPOINT
#define CURLOPTTYPE_VALUES CURLOPTTYPE_LONG

/* Type of the argument by class: LONG long, VALUES long out of a set, OFF_T curl_off_t, STRINGPOINT
 * const char *, SLISTPOINT struct curl_slist *, CBPOINT any pointer of the application's, FUNCTIONPOINT a
 * callback, BLOB struct curl_blob *, OBJECTPOINT another pointer, named in the comment. */
typedef enum {
  CURLOPT_WRITEDATA = CURLOPTTYPE_CBPOINT + 1, /* passed to the write callback; default stdout */
  CURLOPT_URL = CURLOPTTYPE_STRINGPOINT + 2,
  CURLOPT_PORT = CURLOPTTYPE_LONG + 3, /* in place of the URL's */
  /* [scheme://]host[:port]; "" uses none, whatever the environment says */
  CURLOPT_PROXY = CURLOPTTYPE_STRINGPOINT + 4,
  CURLOPT_USERPWD = CURLOPTTYPE_STRINGPOINT + 5, /* user:password */
  CURLOPT_PROXYUSERPWD = CURLOPTTYPE_STRINGPOINT + 6, /* user:password */
  CURLOPT_RANGE = CURLOPTTYPE_STRINGPOINT + 7, /* bytes "0-499", "500-", "-100", or several with commas */
  CURLOPT_READDATA = CURLOPTTYPE_CBPOINT + 9, /* passed to the read callback; default stdin */
  CURLOPT_ERRORBUFFER = CURLOPTTYPE_OBJECTPOINT + 10, /* char[CURL_ERROR_SIZE], read only after an error */
  CURLOPT_WRITEFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 11, /* curl_write_callback; default fwrite() */
  CURLOPT_READFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 12, /* curl_read_callback; default fread() */
  CURLOPT_TIMEOUT = CURLOPTTYPE_LONG + 13, /* seconds for the whole transfer; 0: no limit */
  CURLOPT_INFILESIZE = CURLOPTTYPE_LONG + 14, /* bytes to upload; -1: not known */
  CURLOPT_POSTFIELDS = CURLOPTTYPE_OBJECTPOINT + 15, /* const char *: the body, not copied */
  CURLOPT_REFERER = CURLOPTTYPE_STRINGPOINT + 16,
  /* active mode: address, interface, "-" or with :port-port */
  CURLOPT_FTPPORT = CURLOPTTYPE_STRINGPOINT + 17,
  CURLOPT_USERAGENT = CURLOPTTYPE_STRINGPOINT + 18,
  /* bytes per second; slower for LOW_SPEED_TIME ends the transfer */
  CURLOPT_LOW_SPEED_LIMIT = CURLOPTTYPE_LONG + 19,
  CURLOPT_LOW_SPEED_TIME = CURLOPTTYPE_LONG + 20, /* seconds */
  CURLOPT_RESUME_FROM = CURLOPTTYPE_LONG + 21, /* bytes to skip; -1 for uploads: ask the server */
  CURLOPT_COOKIE = CURLOPTTYPE_STRINGPOINT + 22, /* "name=value; name2=value2": sent as it is */
  /* request headers; "Name:" removes one, "Name;" sends it empty */
  CURLOPT_HTTPHEADER = CURLOPTTYPE_SLISTPOINT + 23,
  CURLOPT_HTTPPOST = CURLOPTTYPE_OBJECTPOINT + 24, /* struct curl_httppost * */
  CURLOPT_SSLCERT = CURLOPTTYPE_STRINGPOINT + 25, /* client certificate, a file */
  CURLOPT_KEYPASSWD = CURLOPTTYPE_STRINGPOINT + 26, /* of the private key */
  CURLOPT_CRLF = CURLOPTTYPE_LONG + 27, /* 1: uploads get CR LF for LF */
  CURLOPT_QUOTE = CURLOPTTYPE_SLISTPOINT + 28, /* commands before the transfer */
  CURLOPT_HEADERDATA = CURLOPTTYPE_CBPOINT + 29, /* passed to the header callback */
  /* read cookies from there; "" keeps them in memory; adds up */
  CURLOPT_COOKIEFILE = CURLOPTTYPE_STRINGPOINT + 31,
  CURLOPT_SSLVERSION = CURLOPTTYPE_VALUES + 32, /* CURL_SSLVERSION_* */
  CURLOPT_TIMECONDITION = CURLOPTTYPE_VALUES + 33, /* CURL_TIMECOND_* */
  CURLOPT_TIMEVALUE = CURLOPTTYPE_LONG + 34, /* Unix seconds for it */
  CURLOPT_CUSTOMREQUEST = CURLOPTTYPE_STRINGPOINT + 36, /* the method's name; changes nothing else */
  CURLOPT_STDERR = CURLOPTTYPE_OBJECTPOINT + 37, /* FILE *: for the verbose text and the progress meter */
  CURLOPT_POSTQUOTE = CURLOPTTYPE_SLISTPOINT + 39, /* commands after the transfer */
  CURLOPT_VERBOSE = CURLOPTTYPE_LONG + 41, /* 1: tell what happens */
  CURLOPT_HEADER = CURLOPTTYPE_LONG + 42, /* 1: headers go to the write callback too */
  CURLOPT_NOPROGRESS = CURLOPTTYPE_LONG + 43, /* 1 (default): no progress callback and no meter */
  CURLOPT_NOBODY = CURLOPTTYPE_LONG + 44, /* 1: HEAD, or the like of other protocols */
  CURLOPT_FAILONERROR = CURLOPTTYPE_LONG + 45, /* 1: status 400 and higher is an error */
  CURLOPT_UPLOAD = CURLOPTTYPE_LONG + 46, /* 1: PUT, or the like of other protocols */
  CURLOPT_POST = CURLOPTTYPE_LONG + 47, /* 1: POST */
  CURLOPT_DIRLISTONLY = CURLOPTTYPE_LONG + 48, /* 1: names only */
  CURLOPT_APPEND = CURLOPTTYPE_LONG + 50, /* 1: uploads add to the file */
  CURLOPT_NETRC = CURLOPTTYPE_VALUES + 51, /* CURL_NETRC_* */
  CURLOPT_FOLLOWLOCATION = CURLOPTTYPE_LONG + 52, /* CURLFOLLOW_*; 0 (default): redirects are not followed */
  CURLOPT_TRANSFERTEXT = CURLOPTTYPE_LONG + 53, /* 1: ASCII mode */
  CURLOPT_PUT = CURLOPTTYPE_LONG + 54, /* use CURLOPT_UPLOAD */
  /* curl_progress_callback; use CURLOPT_XFERINFOFUNCTION */
  CURLOPT_PROGRESSFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 56,
  CURLOPT_XFERINFODATA = CURLOPTTYPE_CBPOINT + 57, /* passed to the progress callback */
  CURLOPT_AUTOREFERER = CURLOPTTYPE_LONG + 58, /* 1: Referer on redirects */
  CURLOPT_PROXYPORT = CURLOPTTYPE_LONG + 59, /* if CURLOPT_PROXY has none */
  CURLOPT_POSTFIELDSIZE = CURLOPTTYPE_LONG + 60, /* bytes; -1: up to the NUL */
  CURLOPT_HTTPPROXYTUNNEL = CURLOPTTYPE_LONG + 61, /* 1: CONNECT through the HTTP proxy */
  /* name, address, "if!name", "host!name" or "ifhost!name!host" */
  CURLOPT_INTERFACE = CURLOPTTYPE_STRINGPOINT + 62,
  CURLOPT_KRBLEVEL = CURLOPTTYPE_STRINGPOINT + 63, /* no longer of effect */
  CURLOPT_SSL_VERIFYPEER = CURLOPTTYPE_LONG + 64, /* 1 (default): the certificate chain must be good */
  CURLOPT_CAINFO = CURLOPTTYPE_STRINGPOINT + 65, /* trusted certificates, a PEM file */
  CURLOPT_MAXREDIRS = CURLOPTTYPE_LONG + 68, /* default 30; -1: no limit */
  CURLOPT_FILETIME = CURLOPTTYPE_LONG + 69, /* 1: ask for CURLINFO_FILETIME */
  CURLOPT_TELNETOPTIONS = CURLOPTTYPE_SLISTPOINT + 70, /* "TTYPE=...", "XDISPLOC=...", "NEW_ENV=..." */
  CURLOPT_MAXCONNECTS = CURLOPTTYPE_LONG + 71, /* kept connections; default 5 */
  CURLOPT_FRESH_CONNECT = CURLOPTTYPE_LONG + 74, /* 1: do not use a kept connection */
  CURLOPT_FORBID_REUSE = CURLOPTTYPE_LONG + 75, /* 1: close the connection afterwards */
  CURLOPT_RANDOM_FILE = CURLOPTTYPE_STRINGPOINT + 76, /* no longer of effect */
  CURLOPT_EGDSOCKET = CURLOPTTYPE_STRINGPOINT + 77, /* no longer of effect */
  CURLOPT_CONNECTTIMEOUT = CURLOPTTYPE_LONG + 78, /* seconds; 0: 300 */
  CURLOPT_HEADERFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 79, /* curl_write_callback, called with whole lines */
  CURLOPT_HTTPGET = CURLOPTTYPE_LONG + 80, /* 1: GET */
  /* 2 (default): the certificate must name the host; 0: any */
  CURLOPT_SSL_VERIFYHOST = CURLOPTTYPE_LONG + 81,
  CURLOPT_COOKIEJAR = CURLOPTTYPE_STRINGPOINT + 82, /* cookies are written there at the end */
  CURLOPT_SSL_CIPHER_LIST = CURLOPTTYPE_STRINGPOINT + 83, /* up to TLS 1.2 */
  CURLOPT_HTTP_VERSION = CURLOPTTYPE_VALUES + 84, /* CURL_HTTP_VERSION_* */
  CURLOPT_FTP_USE_EPSV = CURLOPTTYPE_LONG + 85, /* 1 (default): try EPSV before PASV */
  CURLOPT_SSLCERTTYPE = CURLOPTTYPE_STRINGPOINT + 86, /* "PEM" (default), "DER", "P12" */
  CURLOPT_SSLKEY = CURLOPTTYPE_STRINGPOINT + 87, /* private key, a file */
  CURLOPT_SSLKEYTYPE = CURLOPTTYPE_STRINGPOINT + 88, /* "PEM" (default), "DER", "ENG", "PROV" */
  CURLOPT_SSLENGINE = CURLOPTTYPE_STRINGPOINT + 89, /* name of a crypto engine */
  CURLOPT_SSLENGINE_DEFAULT = CURLOPTTYPE_LONG + 90, /* 1: it does everything */
  CURLOPT_DNS_USE_GLOBAL_CACHE = CURLOPTTYPE_LONG + 91, /* no longer of effect */
  CURLOPT_DNS_CACHE_TIMEOUT = CURLOPTTYPE_LONG + 92, /* seconds, default 60; -1: for ever, 0: no cache */
  /* commands before the transfer, after the directory changes */
  CURLOPT_PREQUOTE = CURLOPTTYPE_SLISTPOINT + 93,
  CURLOPT_DEBUGFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 94, /* curl_debug_callback */
  CURLOPT_DEBUGDATA = CURLOPTTYPE_CBPOINT + 95, /* passed to it */
  CURLOPT_COOKIESESSION = CURLOPTTYPE_LONG + 96, /* 1: session cookies of the files are dropped */
  CURLOPT_CAPATH = CURLOPTTYPE_STRINGPOINT + 97, /* trusted certificates, a folder with hashed names */
  CURLOPT_BUFFERSIZE = CURLOPTTYPE_LONG + 98, /* bytes of the receive buffer, 1024 to CURL_MAX_READ_SIZE */
  CURLOPT_NOSIGNAL = CURLOPTTYPE_LONG + 99, /* 1: no signal handlers */
  CURLOPT_SHARE = CURLOPTTYPE_OBJECTPOINT + 100, /* CURLSH *; NULL: none */
  CURLOPT_PROXYTYPE = CURLOPTTYPE_VALUES + 101, /* CURLPROXY_*, if CURLOPT_PROXY has no scheme */
  /* codings to ask for and decode; "" all that are built in */
  CURLOPT_ACCEPT_ENCODING = CURLOPTTYPE_STRINGPOINT + 102,
  CURLOPT_PRIVATE = CURLOPTTYPE_OBJECTPOINT + 103, /* any pointer, given back by CURLINFO_PRIVATE */
  CURLOPT_HTTP200ALIASES = CURLOPTTYPE_SLISTPOINT + 104, /* first lines that count as "HTTP/1.0 200 OK" */
  /* 1: redirects to other hosts get the credentials too */
  CURLOPT_UNRESTRICTED_AUTH = CURLOPTTYPE_LONG + 105,
  CURLOPT_FTP_USE_EPRT = CURLOPTTYPE_LONG + 106, /* 1 (default): try EPRT before PORT */
  CURLOPT_HTTPAUTH = CURLOPTTYPE_VALUES + 107, /* CURLAUTH_* bits; default CURLAUTH_BASIC */
  CURLOPT_SSL_CTX_FUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 108, /* curl_ssl_ctx_callback */
  CURLOPT_SSL_CTX_DATA = CURLOPTTYPE_CBPOINT + 109, /* passed to it */
  CURLOPT_FTP_CREATE_MISSING_DIRS = CURLOPTTYPE_LONG + 110, /* CURLFTP_CREATE_DIR* */
  CURLOPT_PROXYAUTH = CURLOPTTYPE_VALUES + 111, /* CURLAUTH_* bits; default CURLAUTH_BASIC */
  CURLOPT_SERVER_RESPONSE_TIMEOUT = CURLOPTTYPE_LONG + 112, /* seconds for the reply to a command */
  CURLOPT_IPRESOLVE = CURLOPTTYPE_VALUES + 113, /* CURL_IPRESOLVE_* */
  CURLOPT_MAXFILESIZE = CURLOPTTYPE_LONG + 114, /* bytes; 0: no limit */
  CURLOPT_INFILESIZE_LARGE = CURLOPTTYPE_OFF_T + 115, /* the same as INFILESIZE */
  CURLOPT_RESUME_FROM_LARGE = CURLOPTTYPE_OFF_T + 116, /* the same as RESUME_FROM */
  CURLOPT_MAXFILESIZE_LARGE = CURLOPTTYPE_OFF_T + 117, /* the same as MAXFILESIZE */
  CURLOPT_NETRC_FILE = CURLOPTTYPE_STRINGPOINT + 118, /* default ~/.netrc */
  CURLOPT_USE_SSL = CURLOPTTYPE_VALUES + 119, /* CURLUSESSL_* */
  CURLOPT_POSTFIELDSIZE_LARGE = CURLOPTTYPE_OFF_T + 120, /* the same as POSTFIELDSIZE */
  CURLOPT_TCP_NODELAY = CURLOPTTYPE_LONG + 121, /* 1 (default) */
  CURLOPT_FTPSSLAUTH = CURLOPTTYPE_VALUES + 129, /* CURLFTPAUTH_* */
  CURLOPT_IOCTLFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 130, /* curl_ioctl_callback; use CURLOPT_SEEKFUNCTION */
  CURLOPT_IOCTLDATA = CURLOPTTYPE_CBPOINT + 131, /* passed to it */
  CURLOPT_FTP_ACCOUNT = CURLOPTTYPE_STRINGPOINT + 134, /* answer to an ACCT request */
  /* a cookie line, or "ALL", "SESS", "FLUSH", "RELOAD": acts at once */
  CURLOPT_COOKIELIST = CURLOPTTYPE_STRINGPOINT + 135,
  CURLOPT_IGNORE_CONTENT_LENGTH = CURLOPTTYPE_LONG + 136, /* 1: read until the connection ends */
  CURLOPT_FTP_SKIP_PASV_IP = CURLOPTTYPE_LONG + 137, /* 1 (default): use the control connection's address */
  CURLOPT_FTP_FILEMETHOD = CURLOPTTYPE_VALUES + 138, /* CURLFTPMETHOD_* */
  CURLOPT_LOCALPORT = CURLOPTTYPE_LONG + 139, /* of the connection; 0: any */
  CURLOPT_LOCALPORTRANGE = CURLOPTTYPE_LONG + 140, /* how many ports to try from there on */
  CURLOPT_CONNECT_ONLY = CURLOPTTYPE_LONG + 141, /* 1: stop when connected; 2: after the WebSocket upgrade */
  CURLOPT_CONV_FROM_NETWORK_FUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 142, /* no longer of effect */
  CURLOPT_CONV_TO_NETWORK_FUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 143, /* no longer of effect */
  CURLOPT_CONV_FROM_UTF8_FUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 144, /* no longer of effect */
  CURLOPT_MAX_SEND_SPEED_LARGE = CURLOPTTYPE_OFF_T + 145, /* bytes per second; 0: no limit */
  CURLOPT_MAX_RECV_SPEED_LARGE = CURLOPTTYPE_OFF_T + 146, /* bytes per second; 0: no limit */
  CURLOPT_FTP_ALTERNATIVE_TO_USER = CURLOPTTYPE_STRINGPOINT + 147, /* sent when USER fails */
  CURLOPT_SOCKOPTFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 148, /* curl_sockopt_callback */
  CURLOPT_SOCKOPTDATA = CURLOPTTYPE_CBPOINT + 149, /* passed to it */
  CURLOPT_SSL_SESSIONID_CACHE = CURLOPTTYPE_LONG + 150, /* 1 (default): resume TLS sessions */
  CURLOPT_SSH_AUTH_TYPES = CURLOPTTYPE_VALUES + 151, /* CURLSSH_AUTH_* bits */
  CURLOPT_SSH_PUBLIC_KEYFILE = CURLOPTTYPE_STRINGPOINT + 152,
  CURLOPT_SSH_PRIVATE_KEYFILE = CURLOPTTYPE_STRINGPOINT + 153,
  CURLOPT_FTP_SSL_CCC = CURLOPTTYPE_LONG + 154, /* CURLFTPSSL_CCC_* */
  CURLOPT_TIMEOUT_MS = CURLOPTTYPE_LONG + 155, /* milliseconds; the same as TIMEOUT */
  CURLOPT_CONNECTTIMEOUT_MS = CURLOPTTYPE_LONG + 156, /* milliseconds; the same as CONNECTTIMEOUT */
  CURLOPT_HTTP_TRANSFER_DECODING = CURLOPTTYPE_LONG + 157, /* 1 (default): decode chunked bodies */
  CURLOPT_HTTP_CONTENT_DECODING = CURLOPTTYPE_LONG + 158, /* 1 (default): decode compressed bodies */
  CURLOPT_NEW_FILE_PERMS = CURLOPTTYPE_LONG + 159, /* of files made on the server; default 0644 */
  CURLOPT_NEW_DIRECTORY_PERMS = CURLOPTTYPE_LONG + 160, /* of directories made there; default 0755 */
  CURLOPT_POSTREDIR = CURLOPTTYPE_VALUES + 161, /* CURL_REDIR_* bits */
  CURLOPT_SSH_HOST_PUBLIC_KEY_MD5 = CURLOPTTYPE_STRINGPOINT + 162, /* 32 hex digits */
  CURLOPT_OPENSOCKETFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 163, /* curl_opensocket_callback */
  CURLOPT_OPENSOCKETDATA = CURLOPTTYPE_CBPOINT + 164, /* passed to it */
  /* const char *: the body, copied; set the size before it */
  CURLOPT_COPYPOSTFIELDS = CURLOPTTYPE_OBJECTPOINT + 165,
  /* 1: ";type=a" or ";type=i" in FTP URLs for HTTP proxies */
  CURLOPT_PROXY_TRANSFER_MODE = CURLOPTTYPE_LONG + 166,
  CURLOPT_SEEKFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 167, /* curl_seek_callback */
  CURLOPT_SEEKDATA = CURLOPTTYPE_CBPOINT + 168, /* passed to it */
  CURLOPT_CRLFILE = CURLOPTTYPE_STRINGPOINT + 169, /* revocation list, a PEM file */
  /* the server's certificate must be issued by this one */
  CURLOPT_ISSUERCERT = CURLOPTTYPE_STRINGPOINT + 170,
  CURLOPT_ADDRESS_SCOPE = CURLOPTTYPE_LONG + 171, /* zone of IPv6 addresses */
  CURLOPT_CERTINFO = CURLOPTTYPE_LONG + 172, /* 1: gather CURLINFO_CERTINFO */
  CURLOPT_USERNAME = CURLOPTTYPE_STRINGPOINT + 173,
  CURLOPT_PASSWORD = CURLOPTTYPE_STRINGPOINT + 174,
  CURLOPT_PROXYUSERNAME = CURLOPTTYPE_STRINGPOINT + 175,
  CURLOPT_PROXYPASSWORD = CURLOPTTYPE_STRINGPOINT + 176,
  CURLOPT_NOPROXY = CURLOPTTYPE_STRINGPOINT + 177, /* hosts without a proxy, commas between; "*" all */
  CURLOPT_TFTP_BLKSIZE = CURLOPTTYPE_LONG + 178, /* 8 to 65464 */
  CURLOPT_SOCKS5_GSSAPI_SERVICE = CURLOPTTYPE_STRINGPOINT + 179, /* use CURLOPT_PROXY_SERVICE_NAME */
  CURLOPT_SOCKS5_GSSAPI_NEC = CURLOPTTYPE_LONG + 180, /* 1: negotiate without protection */
  CURLOPT_PROTOCOLS = CURLOPTTYPE_LONG + 181, /* CURLPROTO_* bits; use CURLOPT_PROTOCOLS_STR */
  CURLOPT_REDIR_PROTOCOLS = CURLOPTTYPE_LONG + 182, /* use CURLOPT_REDIR_PROTOCOLS_STR */
  CURLOPT_SSH_KNOWNHOSTS = CURLOPTTYPE_STRINGPOINT + 183, /* a file */
  CURLOPT_SSH_KEYFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 184, /* curl_sshkeycallback */
  CURLOPT_SSH_KEYDATA = CURLOPTTYPE_CBPOINT + 185, /* passed to it */
  CURLOPT_MAIL_FROM = CURLOPTTYPE_STRINGPOINT + 186, /* address of the sender */
  CURLOPT_MAIL_RCPT = CURLOPTTYPE_SLISTPOINT + 187, /* addresses of the recipients */
  CURLOPT_FTP_USE_PRET = CURLOPTTYPE_LONG + 188, /* 1: PRET before PASV */
  CURLOPT_RTSP_REQUEST = CURLOPTTYPE_VALUES + 189, /* CURL_RTSPREQ_* */
  CURLOPT_RTSP_SESSION_ID = CURLOPTTYPE_STRINGPOINT + 190,
  CURLOPT_RTSP_STREAM_URI = CURLOPTTYPE_STRINGPOINT + 191,
  CURLOPT_RTSP_TRANSPORT = CURLOPTTYPE_STRINGPOINT + 192, /* the Transport header */
  CURLOPT_RTSP_CLIENT_CSEQ = CURLOPTTYPE_LONG + 193, /* number of the next request */
  CURLOPT_RTSP_SERVER_CSEQ = CURLOPTTYPE_LONG + 194, /* number of the next request of the server */
  CURLOPT_INTERLEAVEDATA = CURLOPTTYPE_CBPOINT + 195, /* passed to it */
  CURLOPT_INTERLEAVEFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 196, /* curl_write_callback for RTP packets */
  CURLOPT_WILDCARDMATCH = CURLOPTTYPE_LONG + 197, /* 1: download what matches the file name's pattern */
  CURLOPT_CHUNK_BGN_FUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 198, /* curl_chunk_bgn_callback */
  CURLOPT_CHUNK_END_FUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 199, /* curl_chunk_end_callback */
  CURLOPT_FNMATCH_FUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 200, /* curl_fnmatch_callback */
  CURLOPT_CHUNK_DATA = CURLOPTTYPE_CBPOINT + 201, /* passed to the chunk callbacks */
  CURLOPT_FNMATCH_DATA = CURLOPTTYPE_CBPOINT + 202, /* passed to the pattern callback */
  /* "[+]host:port:address[,address]", "-host:port" for the name cache */
  CURLOPT_RESOLVE = CURLOPTTYPE_SLISTPOINT + 203,
  CURLOPT_TLSAUTH_USERNAME = CURLOPTTYPE_STRINGPOINT + 204, /* TLS-SRP, no longer of use */
  CURLOPT_TLSAUTH_PASSWORD = CURLOPTTYPE_STRINGPOINT + 205, /* TLS-SRP, no longer of use */
  CURLOPT_TLSAUTH_TYPE = CURLOPTTYPE_STRINGPOINT + 206, /* TLS-SRP, no longer of use */
  CURLOPT_TRANSFER_ENCODING = CURLOPTTYPE_LONG + 207, /* 1: ask for compressed transfer coding */
  CURLOPT_CLOSESOCKETFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 208, /* curl_closesocket_callback */
  CURLOPT_CLOSESOCKETDATA = CURLOPTTYPE_CBPOINT + 209, /* passed to it */
  CURLOPT_GSSAPI_DELEGATION = CURLOPTTYPE_VALUES + 210, /* CURLGSSAPI_DELEGATION_* */
  CURLOPT_DNS_SERVERS = CURLOPTTYPE_STRINGPOINT + 211, /* address[:port], commas between */
  /* milliseconds to wait for the server in active FTP; default 60000 */
  CURLOPT_ACCEPTTIMEOUT_MS = CURLOPTTYPE_LONG + 212,
  CURLOPT_TCP_KEEPALIVE = CURLOPTTYPE_LONG + 213, /* 1: probes on idle connections */
  CURLOPT_TCP_KEEPIDLE = CURLOPTTYPE_LONG + 214, /* seconds before the first */
  CURLOPT_TCP_KEEPINTVL = CURLOPTTYPE_LONG + 215, /* seconds between them */
  CURLOPT_SSL_OPTIONS = CURLOPTTYPE_VALUES + 216, /* CURLSSLOPT_* bits */
  CURLOPT_MAIL_AUTH = CURLOPTTYPE_STRINGPOINT + 217, /* AUTH of MAIL FROM */
  CURLOPT_SASL_IR = CURLOPTTYPE_LONG + 218, /* 1: initial response in the first packet */
  CURLOPT_XFERINFOFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 219, /* curl_xferinfo_callback */
  CURLOPT_XOAUTH2_BEARER = CURLOPTTYPE_STRINGPOINT + 220, /* OAuth 2.0 token */
  CURLOPT_DNS_INTERFACE = CURLOPTTYPE_STRINGPOINT + 221, /* for name lookups */
  CURLOPT_DNS_LOCAL_IP4 = CURLOPTTYPE_STRINGPOINT + 222, /* for name lookups */
  CURLOPT_DNS_LOCAL_IP6 = CURLOPTTYPE_STRINGPOINT + 223, /* for name lookups */
  CURLOPT_LOGIN_OPTIONS = CURLOPTTYPE_STRINGPOINT + 224, /* "AUTH=..." */
  CURLOPT_SSL_ENABLE_NPN = CURLOPTTYPE_LONG + 225, /* no longer of effect */
  CURLOPT_SSL_ENABLE_ALPN = CURLOPTTYPE_LONG + 226, /* 1 (default) */
  CURLOPT_EXPECT_100_TIMEOUT_MS = CURLOPTTYPE_LONG + 227, /* milliseconds to wait for 100; default 1000 */
  CURLOPT_PROXYHEADER = CURLOPTTYPE_SLISTPOINT + 228, /* request headers for proxies */
  CURLOPT_HEADEROPT = CURLOPTTYPE_VALUES + 229, /* CURLHEADER_* */
  /* a file, or "sha256//base64" with semicolons between */
  CURLOPT_PINNEDPUBLICKEY = CURLOPTTYPE_STRINGPOINT + 230,
  CURLOPT_UNIX_SOCKET_PATH = CURLOPTTYPE_STRINGPOINT + 231, /* connect to it in place of the host */
  CURLOPT_SSL_VERIFYSTATUS = CURLOPTTYPE_LONG + 232, /* 1: the certificate needs a stapled OCSP answer */
  CURLOPT_SSL_FALSESTART = CURLOPTTYPE_LONG + 233, /* no longer of effect */
  CURLOPT_PATH_AS_IS = CURLOPTTYPE_LONG + 234, /* 1: leave ../ and ./ in the path */
  CURLOPT_PROXY_SERVICE_NAME = CURLOPTTYPE_STRINGPOINT + 235, /* for GSS-API */
  CURLOPT_SERVICE_NAME = CURLOPTTYPE_STRINGPOINT + 236, /* for GSS-API */
  CURLOPT_PIPEWAIT = CURLOPTTYPE_LONG + 237, /* 1: rather wait to share a connection than open one */
  CURLOPT_DEFAULT_PROTOCOL = CURLOPTTYPE_STRINGPOINT + 238, /* of URLs without a scheme */
  CURLOPT_STREAM_WEIGHT = CURLOPTTYPE_LONG + 239, /* of HTTP/2, 1 to 256 */
  CURLOPT_STREAM_DEPENDS = CURLOPTTYPE_OBJECTPOINT + 240, /* no longer of effect */
  CURLOPT_STREAM_DEPENDS_E = CURLOPTTYPE_OBJECTPOINT + 241, /* no longer of effect */
  CURLOPT_TFTP_NO_OPTIONS = CURLOPTTYPE_LONG + 242, /* 1: no option requests */
  CURLOPT_CONNECT_TO = CURLOPTTYPE_SLISTPOINT + 243, /* "host:port:connect-host:connect-port" */
  CURLOPT_TCP_FASTOPEN = CURLOPTTYPE_LONG + 244, /* 1 */
  CURLOPT_KEEP_SENDING_ON_ERROR = CURLOPTTYPE_LONG + 245, /* 1: finish the upload after an error status */
  /* as CAINFO, for HTTPS proxies; so all PROXY_ options below */
  CURLOPT_PROXY_CAINFO = CURLOPTTYPE_STRINGPOINT + 246,
  CURLOPT_PROXY_CAPATH = CURLOPTTYPE_STRINGPOINT + 247,
  CURLOPT_PROXY_SSL_VERIFYPEER = CURLOPTTYPE_LONG + 248,
  CURLOPT_PROXY_SSL_VERIFYHOST = CURLOPTTYPE_LONG + 249,
  CURLOPT_PROXY_SSLVERSION = CURLOPTTYPE_VALUES + 250,
  CURLOPT_PROXY_TLSAUTH_USERNAME = CURLOPTTYPE_STRINGPOINT + 251,
  CURLOPT_PROXY_TLSAUTH_PASSWORD = CURLOPTTYPE_STRINGPOINT + 252,
  CURLOPT_PROXY_TLSAUTH_TYPE = CURLOPTTYPE_STRINGPOINT + 253,
  CURLOPT_PROXY_SSLCERT = CURLOPTTYPE_STRINGPOINT + 254,
  CURLOPT_PROXY_SSLCERTTYPE = CURLOPTTYPE_STRINGPOINT + 255,
  CURLOPT_PROXY_SSLKEY = CURLOPTTYPE_STRINGPOINT + 256,
  CURLOPT_PROXY_SSLKEYTYPE = CURLOPTTYPE_STRINGPOINT + 257,
  CURLOPT_PROXY_KEYPASSWD = CURLOPTTYPE_STRINGPOINT + 258,
  CURLOPT_PROXY_SSL_CIPHER_LIST = CURLOPTTYPE_STRINGPOINT + 259,
  CURLOPT_PROXY_CRLFILE = CURLOPTTYPE_STRINGPOINT + 260,
  CURLOPT_PROXY_SSL_OPTIONS = CURLOPTTYPE_LONG + 261,
  CURLOPT_PRE_PROXY = CURLOPTTYPE_STRINGPOINT + 262, /* a SOCKS proxy on the way to the HTTP proxy */
  CURLOPT_PROXY_PINNEDPUBLICKEY = CURLOPTTYPE_STRINGPOINT + 263,
  CURLOPT_ABSTRACT_UNIX_SOCKET = CURLOPTTYPE_STRINGPOINT + 264, /* the same in Linux's abstract namespace */
  /* 1: no callbacks for a proxy's CONNECT headers */
  CURLOPT_SUPPRESS_CONNECT_HEADERS = CURLOPTTYPE_LONG + 265,
  CURLOPT_REQUEST_TARGET = CURLOPTTYPE_STRINGPOINT + 266, /* in place of path and query */
  CURLOPT_SOCKS5_AUTH = CURLOPTTYPE_LONG + 267, /* CURLAUTH_BASIC, CURLAUTH_GSSAPI, CURLAUTH_ONLY */
  CURLOPT_SSH_COMPRESSION = CURLOPTTYPE_LONG + 268, /* 1 */
  CURLOPT_MIMEPOST = CURLOPTTYPE_OBJECTPOINT + 269, /* curl_mime * */
  CURLOPT_TIMEVALUE_LARGE = CURLOPTTYPE_OFF_T + 270, /* the same as TIMEVALUE */
  /* milliseconds that IPv6 has ahead; default 200 */
  CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS = CURLOPTTYPE_LONG + 271,
  CURLOPT_RESOLVER_START_FUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 272, /* curl_resolver_start_callback */
  CURLOPT_RESOLVER_START_DATA = CURLOPTTYPE_CBPOINT + 273, /* passed to it */
  CURLOPT_HAPROXYPROTOCOL = CURLOPTTYPE_LONG + 274, /* 1: send a PROXY v1 header */
  CURLOPT_DNS_SHUFFLE_ADDRESSES = CURLOPTTYPE_LONG + 275, /* 1: try addresses in random order */
  CURLOPT_TLS13_CIPHERS = CURLOPTTYPE_STRINGPOINT + 276, /* of TLS 1.3 */
  CURLOPT_PROXY_TLS13_CIPHERS = CURLOPTTYPE_STRINGPOINT + 277,
  CURLOPT_DISALLOW_USERNAME_IN_URL = CURLOPTTYPE_LONG + 278, /* 1: CURLE_LOGIN_DENIED */
  CURLOPT_DOH_URL = CURLOPTTYPE_STRINGPOINT + 279, /* ask for names by HTTPS there */
  CURLOPT_UPLOAD_BUFFERSIZE = CURLOPTTYPE_LONG + 280, /* bytes, 16384 to 2 MB */
  CURLOPT_UPKEEP_INTERVAL_MS = CURLOPTTYPE_LONG + 281, /* milliseconds */
  CURLOPT_CURLU = CURLOPTTYPE_OBJECTPOINT + 282, /* CURLU *: in place of CURLOPT_URL */
  CURLOPT_TRAILERFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 283, /* curl_trailer_callback */
  CURLOPT_TRAILERDATA = CURLOPTTYPE_CBPOINT + 284, /* passed to it */
  CURLOPT_HTTP09_ALLOWED = CURLOPTTYPE_LONG + 285, /* 1: take answers without headers */
  CURLOPT_ALTSVC_CTRL = CURLOPTTYPE_LONG + 286, /* CURLALTSVC_* bits */
  CURLOPT_ALTSVC = CURLOPTTYPE_STRINGPOINT + 287, /* the cache's file */
  CURLOPT_MAXAGE_CONN = CURLOPTTYPE_LONG + 288, /* seconds that a connection may be idle; default 118 */
  CURLOPT_SASL_AUTHZID = CURLOPTTYPE_STRINGPOINT + 289, /* identity to act as */
  CURLOPT_MAIL_RCPT_ALLOWFAILS = CURLOPTTYPE_LONG + 290, /* 1: go on when some recipients are refused */
  CURLOPT_SSLCERT_BLOB = CURLOPTTYPE_BLOB + 291, /* as SSLCERT, from memory; so all _BLOB options */
  CURLOPT_SSLKEY_BLOB = CURLOPTTYPE_BLOB + 292,
  CURLOPT_PROXY_SSLCERT_BLOB = CURLOPTTYPE_BLOB + 293,
  CURLOPT_PROXY_SSLKEY_BLOB = CURLOPTTYPE_BLOB + 294,
  CURLOPT_ISSUERCERT_BLOB = CURLOPTTYPE_BLOB + 295,
  CURLOPT_PROXY_ISSUERCERT = CURLOPTTYPE_STRINGPOINT + 296,
  CURLOPT_PROXY_ISSUERCERT_BLOB = CURLOPTTYPE_BLOB + 297,
  CURLOPT_SSL_EC_CURVES = CURLOPTTYPE_STRINGPOINT + 298, /* names, colons between */
  CURLOPT_HSTS_CTRL = CURLOPTTYPE_LONG + 299, /* CURLHSTS_* bits */
  CURLOPT_HSTS = CURLOPTTYPE_STRINGPOINT + 300, /* the cache's file */
  CURLOPT_HSTSREADFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 301, /* curl_hstsread_callback */
  CURLOPT_HSTSREADDATA = CURLOPTTYPE_CBPOINT + 302, /* passed to it */
  CURLOPT_HSTSWRITEFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 303, /* curl_hstswrite_callback */
  CURLOPT_HSTSWRITEDATA = CURLOPTTYPE_CBPOINT + 304, /* passed to it */
  CURLOPT_AWS_SIGV4 = CURLOPTTYPE_STRINGPOINT + 305, /* provider1[:provider2[:region[:service]]] */
  CURLOPT_DOH_SSL_VERIFYPEER = CURLOPTTYPE_LONG + 306, /* as SSL_VERIFYPEER, for CURLOPT_DOH_URL */
  CURLOPT_DOH_SSL_VERIFYHOST = CURLOPTTYPE_LONG + 307, /* as SSL_VERIFYHOST, for CURLOPT_DOH_URL */
  CURLOPT_DOH_SSL_VERIFYSTATUS = CURLOPTTYPE_LONG + 308, /* as SSL_VERIFYSTATUS, for CURLOPT_DOH_URL */
  CURLOPT_CAINFO_BLOB = CURLOPTTYPE_BLOB + 309,
  CURLOPT_PROXY_CAINFO_BLOB = CURLOPTTYPE_BLOB + 310,
  CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256 = CURLOPTTYPE_STRINGPOINT + 311, /* base64 */
  CURLOPT_PREREQFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 312, /* curl_prereq_callback */
  CURLOPT_PREREQDATA = CURLOPTTYPE_CBPOINT + 313, /* passed to it */
  /* seconds that a connection may be kept; default 86400 */
  CURLOPT_MAXLIFETIME_CONN = CURLOPTTYPE_LONG + 314,
  CURLOPT_MIME_OPTIONS = CURLOPTTYPE_LONG + 315, /* CURLMIMEOPT_* bits */
  CURLOPT_SSH_HOSTKEYFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 316, /* curl_sshhostkeycallback */
  CURLOPT_SSH_HOSTKEYDATA = CURLOPTTYPE_CBPOINT + 317, /* passed to it */
  CURLOPT_PROTOCOLS_STR = CURLOPTTYPE_STRINGPOINT + 318, /* allowed schemes, commas between; "all" */
  /* the same for redirects; default http,https,ftp,ftps */
  CURLOPT_REDIR_PROTOCOLS_STR = CURLOPTTYPE_STRINGPOINT + 319,
  CURLOPT_WS_OPTIONS = CURLOPTTYPE_LONG + 320, /* CURLWS_RAW_MODE, CURLWS_NOAUTOPONG */
  CURLOPT_CA_CACHE_TIMEOUT = CURLOPTTYPE_LONG + 321, /* seconds, default 86400; -1: for ever, 0: none */
  CURLOPT_QUICK_EXIT = CURLOPTTYPE_LONG + 322, /* 1: clean-up does not wait for threads */
  CURLOPT_HAPROXY_CLIENT_IP = CURLOPTTYPE_STRINGPOINT + 323, /* address to state in the PROXY v1 header */
  /* milliseconds; the same as SERVER_RESPONSE_TIMEOUT */
  CURLOPT_SERVER_RESPONSE_TIMEOUT_MS = CURLOPTTYPE_LONG + 324,
  CURLOPT_ECH = CURLOPTTYPE_STRINGPOINT + 325, /* false, grease, true, hard, "ecl:base64", "pn:name" */
  CURLOPT_TCP_KEEPCNT = CURLOPTTYPE_LONG + 326, /* probes before giving up; default 9 */
  CURLOPT_UPLOAD_FLAGS = CURLOPTTYPE_LONG + 327, /* CURLULFLAG_* bits */
  CURLOPT_SSL_SIGNATURE_ALGORITHMS = CURLOPTTYPE_STRINGPOINT + 328, /* names, colons between */
  CURLOPT_HTTPSIG_ALGORITHM = CURLOPTTYPE_VALUES + 329, /* CURLHTTPSIG_*: sign requests by RFC 9421 */
  CURLOPT_HTTPSIG_KEY = CURLOPTTYPE_STRINGPOINT + 330, /* hex digits */
  CURLOPT_HTTPSIG_KEYID = CURLOPTTYPE_STRINGPOINT + 331, /* keyid of Signature-Input */
  CURLOPT_HTTPSIG_HEADERS = CURLOPTTYPE_STRINGPOINT + 332, /* components, blanks between */
  CURLOPT_LASTENTRY = 10333
} CURLoption;

/* Other names of the same options. */
#define CURLOPT_PROGRESSDATA CURLOPT_XFERINFODATA
#define CURLOPT_RTSPHEADER CURLOPT_HTTPHEADER
#define CURLOPT_WRITEHEADER CURLOPT_HEADERDATA

#ifndef CURL_NO_OLDIES
#define CURLOPT_ENCODING CURLOPT_ACCEPT_ENCODING
#define CURLOPT_FILE CURLOPT_WRITEDATA
#define CURLOPT_INFILE CURLOPT_READDATA
#define CURLOPT_FTP_RESPONSE_TIMEOUT CURLOPT_SERVER_RESPONSE_TIMEOUT
#define CURLOPT_FTP_SSL CURLOPT_USE_SSL
#define CURLOPT_FTPAPPEND CURLOPT_APPEND
#define CURLOPT_FTPLISTONLY CURLOPT_DIRLISTONLY
#define CURLOPT_KRB4LEVEL CURLOPT_KRBLEVEL
#define CURLOPT_MAIL_RCPT_ALLLOWFAILS CURLOPT_MAIL_RCPT_ALLOWFAILS
#define CURLOPT_POST301 CURLOPT_POSTREDIR
#define CURLOPT_SSLCERTPASSWD CURLOPT_KEYPASSWD
#define CURLOPT_SSLKEYPASSWD CURLOPT_KEYPASSWD

/* Options that are gone: CURLE_UNKNOWN_OPTION. */
#define CURLOPT_CLOSEPOLICY ((CURLoption)9999) /* of the type that C++ programs give to templates */
#define CURLOPT_WRITEINFO ((CURLoption)9999)
#endif

/* Values of options ----------------------------------------------------------------------------------- */

/* CURLOPT_HTTP_VERSION */
#define CURL_HTTP_VERSION_NONE 0L              /* the library chooses */
#define CURL_HTTP_VERSION_1_0 1L
#define CURL_HTTP_VERSION_1_1 2L
#define CURL_HTTP_VERSION_2 3L
#define CURL_HTTP_VERSION_2_0 3L
#define CURL_HTTP_VERSION_2TLS 4L              /* HTTP/2 for https, HTTP/1.1 for http */
#define CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE 5L /* HTTP/2 without asking */
#define CURL_HTTP_VERSION_3 30L                /* HTTP/3, or an earlier version if that fails */
#define CURL_HTTP_VERSION_3ONLY 31L            /* HTTP/3 or nothing */
#define CURL_HTTP_VERSION_LAST 32L             /* no version */

/* CURLOPT_SSLVERSION: a lowest and a highest version, or'ed. */
#define CURL_SSLVERSION_DEFAULT 0L
#define CURL_SSLVERSION_TLSv1 1L /* TLS 1.x, whichever */
#define CURL_SSLVERSION_SSLv2 2L /* refused */
#define CURL_SSLVERSION_SSLv3 3L /* refused */
#define CURL_SSLVERSION_TLSv1_0 4L
#define CURL_SSLVERSION_TLSv1_1 5L
#define CURL_SSLVERSION_TLSv1_2 6L
#define CURL_SSLVERSION_TLSv1_3 7L
#define CURL_SSLVERSION_LAST 8L /* no version */
#define CURL_SSLVERSION_MAX_NONE 0L
#define CURL_SSLVERSION_MAX_DEFAULT (1L << 16)
#define CURL_SSLVERSION_MAX_TLSv1_0 (4L << 16)
#define CURL_SSLVERSION_MAX_TLSv1_1 (5L << 16)
#define CURL_SSLVERSION_MAX_TLSv1_2 (6L << 16)
#define CURL_SSLVERSION_MAX_TLSv1_3 (7L << 16)
#define CURL_SSLVERSION_MAX_LAST (8L << 16)

/* CURLOPT_SSL_OPTIONS: bits. */
#define CURLSSLOPT_ALLOW_BEAST (1L << 0)        /* no workaround for the BEAST attack */
#define CURLSSLOPT_NO_REVOKE (1L << 1)          /* no revocation check (Schannel) */
#define CURLSSLOPT_NO_PARTIALCHAIN (1L << 2)    /* a chain must end in a root */
#define CURLSSLOPT_REVOKE_BEST_EFFORT (1L << 3) /* a missing revocation list is no error (Schannel) */
#define CURLSSLOPT_NATIVE_CA (1L << 4)          /* the operating system's trust store */
#define CURLSSLOPT_AUTO_CLIENT_CERT (1L << 5)   /* the system chooses a client certificate */
#define CURLSSLOPT_EARLYDATA (1L << 6)          /* TLS 1.3 early data; can be replayed */

/* CURLOPT_TLSAUTH_TYPE is a string; these are no longer of use. */
#define CURL_TLSAUTH_NONE 0L
#define CURL_TLSAUTH_SRP 1L

/* CURLOPT_USE_SSL */
#define CURLUSESSL_NONE 0L
#define CURLUSESSL_TRY 1L     /* go on without if it cannot be had */
#define CURLUSESSL_CONTROL 2L /* the control connection, or fail */
#define CURLUSESSL_ALL 3L     /* all communication, or fail */

/* CURLOPT_HTTPAUTH, CURLOPT_PROXYAUTH, CURLOPT_SOCKS5_AUTH: bits. */
#define CURLAUTH_NONE 0UL
#define CURLAUTH_BASIC (1UL << 0)
#define CURLAUTH_DIGEST (1UL << 1)
#define CURLAUTH_NEGOTIATE (1UL << 2)
#define CURLAUTH_GSSNEGOTIATE CURLAUTH_NEGOTIATE
#define CURLAUTH_GSSAPI CURLAUTH_NEGOTIATE /* the same bit, as SOCKS5 calls it */
#define CURLAUTH_NTLM (1UL << 3)
#define CURLAUTH_DIGEST_IE (1UL << 4)      /* no longer of effect */
#define CURLAUTH_NTLM_WB (1UL << 5)        /* no longer of effect */
#define CURLAUTH_BEARER (1UL << 6)
#define CURLAUTH_AWS_SIGV4 (1UL << 7)
#define CURLAUTH_HTTPSIG (1UL << 8)
#define CURLAUTH_ONLY (1UL << 31)          /* with one other bit: do not wait to be asked */
#define CURLAUTH_ANY (0xffffffffUL & ~(CURLAUTH_DIGEST_IE | CURLAUTH_HTTPSIG))
#define CURLAUTH_ANYSAFE (CURLAUTH_ANY & ~CURLAUTH_BASIC)

/* CURLOPT_HTTPSIG_ALGORITHM */
#define CURLHTTPSIG_NONE 0L
#define CURLHTTPSIG_ED25519 1L
#define CURLHTTPSIG_HMAC_SHA256 2L

/* CURLOPT_FOLLOWLOCATION: how a custom method behaves. */
#define CURLFOLLOW_ALL 1L       /* kept for every request */
#define CURLFOLLOW_OBEYCODE 2L  /* kept or changed to GET as the status code says */
#define CURLFOLLOW_FIRSTONLY 3L /* for the first request only */

/* CURLOPT_POSTREDIR: after which answers a POST stays a POST; bits. */
#define CURL_REDIR_GET_ALL 0L
#define CURL_REDIR_POST_301 1L
#define CURL_REDIR_POST_302 2L
#define CURL_REDIR_POST_303 4L
#define CURL_REDIR_POST_ALL (CURL_REDIR_POST_301 | CURL_REDIR_POST_302 | CURL_REDIR_POST_303)

/* CURLOPT_HEADEROPT */
#define CURLHEADER_UNIFIED 0L  /* CURLOPT_HTTPHEADER goes to proxies too */
#define CURLHEADER_SEPARATE 1L /* proxies get CURLOPT_PROXYHEADER */

/* CURLOPT_TIMECONDITION */
#define CURL_TIMECOND_NONE 0L
#define CURL_TIMECOND_IFMODSINCE 1L
#define CURL_TIMECOND_IFUNMODSINCE 2L
#define CURL_TIMECOND_LASTMOD 3L

/* CURLOPT_NETRC */
#define CURL_NETRC_IGNORED 0L
#define CURL_NETRC_OPTIONAL 1L /* the URL and the options win */
#define CURL_NETRC_REQUIRED 2L /* the file wins */

/* CURLOPT_IPRESOLVE */
#define CURL_IPRESOLVE_WHATEVER 0L
#define CURL_IPRESOLVE_V4 1L
#define CURL_IPRESOLVE_V6 2L

/* CURLOPT_PROXYTYPE */
#define CURLPROXY_HTTP 0L
#define CURLPROXY_HTTP_1_0 1L
#define CURLPROXY_HTTPS 2L           /* TLS to the proxy */
#define CURLPROXY_HTTPS2 3L          /* the same, HTTP/2 offered */
#define CURLPROXY_SOCKS4 4L
#define CURLPROXY_SOCKS5 5L
#define CURLPROXY_SOCKS4A 6L         /* the proxy resolves the name */
#define CURLPROXY_SOCKS5_HOSTNAME 7L /* the proxy resolves the name */
#define CURLPROXY_HTTPS3 8L          /* HTTP/3 to the proxy */

/* CURLOPT_PROTOCOLS, CURLOPT_REDIR_PROTOCOLS: bits. The _STR options know more protocols. */
#define CURLPROTO_HTTP (1L << 0)
#define CURLPROTO_HTTPS (1L << 1)
#define CURLPROTO_FTP (1L << 2)
#define CURLPROTO_FTPS (1L << 3)
#define CURLPROTO_SCP (1L << 4)
#define CURLPROTO_SFTP (1L << 5)
#define CURLPROTO_TELNET (1L << 6)
#define CURLPROTO_LDAP (1L << 7)
#define CURLPROTO_LDAPS (1L << 8)
#define CURLPROTO_DICT (1L << 9)
#define CURLPROTO_FILE (1L << 10)
#define CURLPROTO_TFTP (1L << 11)
#define CURLPROTO_IMAP (1L << 12)
#define CURLPROTO_IMAPS (1L << 13)
#define CURLPROTO_POP3 (1L << 14)
#define CURLPROTO_POP3S (1L << 15)
#define CURLPROTO_SMTP (1L << 16)
#define CURLPROTO_SMTPS (1L << 17)
#define CURLPROTO_RTSP (1L << 18)
#define CURLPROTO_RTMP (1L << 19) /* no longer supported, nor are its relatives */
#define CURLPROTO_RTMPT (1L << 20)
#define CURLPROTO_RTMPE (1L << 21)
#define CURLPROTO_RTMPTE (1L << 22)
#define CURLPROTO_RTMPS (1L << 23)
#define CURLPROTO_RTMPTS (1L << 24)
#define CURLPROTO_GOPHER (1L << 25)
#define CURLPROTO_SMB (1L << 26)
#define CURLPROTO_SMBS (1L << 27)
#define CURLPROTO_MQTT (1L << 28)
#define CURLPROTO_GOPHERS (1L << 29)
#define CURLPROTO_ALL ((long)0xffffffff)

/* CURLOPT_ALTSVC_CTRL: bits. */
#define CURLALTSVC_READONLYFILE (1L << 2) /* do not write CURLOPT_ALTSVC */
#define CURLALTSVC_H1 (1L << 3)
#define CURLALTSVC_H2 (1L << 4)
#define CURLALTSVC_H3 (1L << 5)

/* CURLOPT_HSTS_CTRL: bits. */
#define CURLHSTS_ENABLE (1L << 0)
#define CURLHSTS_READONLYFILE (1L << 1) /* do not write CURLOPT_HSTS */

/* CURLOPT_MIME_OPTIONS: bits. */
#define CURLMIMEOPT_FORMESCAPE (1L << 0) /* percent-encode names, as browsers do, in place of backslashes */

/* CURLOPT_UPLOAD_FLAGS: IMAP message flags; bits. */
#define CURLULFLAG_ANSWERED (1L << 0)
#define CURLULFLAG_DELETED (1L << 1)
#define CURLULFLAG_DRAFT (1L << 2)
#define CURLULFLAG_FLAGGED (1L << 3)
#define CURLULFLAG_SEEN (1L << 4)

/* CURLOPT_RTSP_REQUEST */
#define CURL_RTSPREQ_NONE 0L
#define CURL_RTSPREQ_OPTIONS 1L
#define CURL_RTSPREQ_DESCRIBE 2L
#define CURL_RTSPREQ_ANNOUNCE 3L
#define CURL_RTSPREQ_SETUP 4L
#define CURL_RTSPREQ_PLAY 5L
#define CURL_RTSPREQ_PAUSE 6L
#define CURL_RTSPREQ_TEARDOWN 7L
#define CURL_RTSPREQ_GET_PARAMETER 8L
#define CURL_RTSPREQ_SET_PARAMETER 9L
#define CURL_RTSPREQ_RECORD 10L
#define CURL_RTSPREQ_RECEIVE 11L
#define CURL_RTSPREQ_LAST 12L /* no request */

/* CURLOPT_FTP_FILEMETHOD, CURLOPT_FTP_CREATE_MISSING_DIRS, CURLOPT_FTPSSLAUTH, CURLOPT_FTP_SSL_CCC */
#define CURLFTPMETHOD_DEFAULT 0L
#define CURLFTPMETHOD_MULTICWD 1L  /* one CWD for every directory */
#define CURLFTPMETHOD_NOCWD 2L     /* whole paths */
#define CURLFTPMETHOD_SINGLECWD 3L /* one CWD for the whole path */
#define CURLFTP_CREATE_DIR_NONE 0L
#define CURLFTP_CREATE_DIR 1L
#define CURLFTP_CREATE_DIR_RETRY 2L /* create it, then CWD again */
#define CURLFTPAUTH_DEFAULT 0L
#define CURLFTPAUTH_SSL 1L
#define CURLFTPAUTH_TLS 2L
#define CURLFTPSSL_CCC_NONE 0L
#define CURLFTPSSL_CCC_PASSIVE 1L /* the server begins the shutdown */
#define CURLFTPSSL_CCC_ACTIVE 2L  /* the library begins it */
#ifndef CURL_NO_OLDIES
#define CURLFTPSSL_NONE CURLUSESSL_NONE
#define CURLFTPSSL_TRY CURLUSESSL_TRY
#define CURLFTPSSL_CONTROL CURLUSESSL_CONTROL
#define CURLFTPSSL_ALL CURLUSESSL_ALL
#endif

/* CURLOPT_GSSAPI_DELEGATION: bits. */
#define CURLGSSAPI_DELEGATION_NONE 0L
#define CURLGSSAPI_DELEGATION_POLICY_FLAG (1L << 0) /* if the realm's policy says so */
#define CURLGSSAPI_DELEGATION_FLAG (1L << 1)        /* always */

/* CURLOPT_SSH_AUTH_TYPES: bits. */
#define CURLSSH_AUTH_ANY ((long)0xffffffff)
#define CURLSSH_AUTH_NONE 0L
#define CURLSSH_AUTH_PUBLICKEY (1L << 0)
#define CURLSSH_AUTH_PASSWORD (1L << 1)
#define CURLSSH_AUTH_HOST (1L << 2)
#define CURLSSH_AUTH_KEYBOARD (1L << 3)
#define CURLSSH_AUTH_AGENT (1L << 4)
#define CURLSSH_AUTH_GSSAPI (1L << 5)
#define CURLSSH_AUTH_DEFAULT CURLSSH_AUTH_ANY

/* Default of CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS and of CURLOPT_UPKEEP_INTERVAL_MS, milliseconds. */
#define CURL_HET_DEFAULT 200L
#define CURL_UPKEEP_INTERVAL_DEFAULT 60000L

/* Names of obsolete options' values; nothing takes them. */
typedef enum {
  CURLCLOSEPOLICY_NONE = 0,
  CURLCLOSEPOLICY_OLDEST = 1,
  CURLCLOSEPOLICY_LEAST_RECENTLY_USED = 2,
  CURLCLOSEPOLICY_LEAST_TRAFFIC = 3,
  CURLCLOSEPOLICY_SLOWEST = 4,
  CURLCLOSEPOLICY_CALLBACK = 5,
  CURLCLOSEPOLICY_LAST = 6
} curl_closepolicy;

/* These enums have lost their members, which are longs now; the names stay for declarations. */
typedef enum { CURLPROXY_LAST = 9 } curl_proxytype;
typedef enum { CURLUSESSL_LAST = 4 } curl_usessl;
typedef enum { CURLFTPSSL_CCC_LAST = 3 } curl_ftpccc;
typedef enum { CURLFTPAUTH_LAST = 3 } curl_ftpauth;
typedef enum { CURLFTP_CREATE_DIR_LAST = 3 } curl_ftpcreatedir;
typedef enum { CURLFTPMETHOD_LAST = 4 } curl_ftpmethod;
typedef enum { CURL_TIMECOND_LAST = 4 } curl_TimeCond;
enum CURL_NETRC_OPTION { CURL_NETRC_LAST = 3 };
enum CURL_TLSAUTH { CURL_TLSAUTH_LAST = 2 };

#ifndef CURL_NO_OLDIES
#define curl_ftpssl curl_usessl
#endif

/* TLS back ends --------------------------------------------------------------------------------------- */

typedef enum {
  CURLSSLBACKEND_NONE = 0,
  CURLSSLBACKEND_OPENSSL = 1,
  CURLSSLBACKEND_GNUTLS = 2,
  CURLSSLBACKEND_NSS = 3,
  CURLSSLBACKEND_OBSOLETE4 = 4,
  CURLSSLBACKEND_GSKIT = 5,
  CURLSSLBACKEND_POLARSSL = 6,
  CURLSSLBACKEND_WOLFSSL = 7,
  CURLSSLBACKEND_SCHANNEL = 8,
  CURLSSLBACKEND_SECURETRANSPORT = 9,
  CURLSSLBACKEND_AXTLS = 10,
  CURLSSLBACKEND_MBEDTLS = 11,
  CURLSSLBACKEND_MESALINK = 12,
  CURLSSLBACKEND_BEARSSL = 13,
  CURLSSLBACKEND_RUSTLS = 14
} curl_sslbackend;

/* Forks of OpenSSL count as OpenSSL. */
#define CURLSSLBACKEND_AWSLC CURLSSLBACKEND_OPENSSL
#define CURLSSLBACKEND_BORINGSSL CURLSSLBACKEND_OPENSSL
#define CURLSSLBACKEND_LIBRESSL CURLSSLBACKEND_OPENSSL
#define CURLSSLBACKEND_CYASSL CURLSSLBACKEND_WOLFSSL
#define CURLSSLBACKEND_DARWINSSL CURLSSLBACKEND_SECURETRANSPORT

typedef struct curl_ssl_backend {
  curl_sslbackend id;
  const char *name;
} curl_ssl_backend;

typedef enum {
  CURLSSLSET_OK = 0,
  CURLSSLSET_UNKNOWN_BACKEND = 1,
  CURLSSLSET_TOO_LATE = 2, /* the library has been initialised */
  CURLSSLSET_NO_BACKENDS = 3
} CURLsslset;

/* Choose the TLS back end by number or by name, before anything else is called. *avail, if asked for,
 * lists those of this build, NULL after the last. */
CURL_EXTERN CURLsslset curl_global_sslset(curl_sslbackend id, const char *name,
                                          const curl_ssl_backend ***avail);

/* Forms: MIME ----------------------------------------------------------------------------------------- */

typedef struct curl_mime curl_mime;
typedef struct curl_mimepart curl_mimepart;

/* In place of a length: the data ends with a NUL. */
#define CURL_ZERO_TERMINATED ((size_t)-1)

/* For CURLOPT_MIMEPOST of that handle; NULL when that fails. */
CURL_EXTERN curl_mime *curl_mime_init(CURL *easy);
CURL_EXTERN void curl_mime_free(curl_mime *mime);
CURL_EXTERN curl_mimepart *curl_mime_addpart(curl_mime *mime);
CURL_EXTERN CURLcode curl_mime_name(curl_mimepart *part, const char *name);
CURL_EXTERN CURLcode curl_mime_filename(curl_mimepart *part, const char *filename);
CURL_EXTERN CURLcode curl_mime_type(curl_mimepart *part, const char *mimetype);
CURL_EXTERN CURLcode curl_mime_encoder(curl_mimepart *part, const char *encoding);
CURL_EXTERN CURLcode curl_mime_data(curl_mimepart *part, const char *data, size_t datasize);
CURL_EXTERN CURLcode curl_mime_filedata(curl_mimepart *part, const char *filename);
/* Data from a callback; freefunc(arg) at the end. datasize -1: not known. */
CURL_EXTERN CURLcode curl_mime_data_cb(curl_mimepart *part, curl_off_t datasize, curl_read_callback readfunc,
                                       curl_seek_callback seekfunc, curl_free_callback freefunc, void *arg);
/* subparts belongs to the part from here on, unless an error is returned. */
CURL_EXTERN CURLcode curl_mime_subparts(curl_mimepart *part, curl_mime *subparts);
CURL_EXTERN CURLcode curl_mime_headers(curl_mimepart *part, struct curl_slist *headers, int take_ownership);

/* Forms: before 7.56.0 -------------------------------------------------------------------------------- */

struct curl_httppost {
  struct curl_httppost *next;
  char *name;
  long namelength;
  char *contents;
  long contentslength;
  char *buffer;
  long bufferlength;
  char *contenttype;
  struct curl_slist *contentheader;
  struct curl_httppost *more; /* further files of the same name */
  long flags;                 /* CURL_HTTPPOST_* */
  char *showfilename;
  void *userp;
  curl_off_t contentlen;      /* with CURL_HTTPPOST_LARGE, in place of contentslength */
};

#define CURL_HTTPPOST_FILENAME (1 << 0)    /* contents names a file */
#define CURL_HTTPPOST_READFILE (1 << 1)    /* the data is in that file */
#define CURL_HTTPPOST_PTRNAME (1 << 2)     /* name is not a copy */
#define CURL_HTTPPOST_PTRCONTENTS (1 << 3) /* contents is not a copy */
#define CURL_HTTPPOST_BUFFER (1 << 4)      /* upload a buffer as a file */
#define CURL_HTTPPOST_PTRBUFFER (1 << 5)   /* buffer is not a copy */
#define CURL_HTTPPOST_CALLBACK (1 << 6)    /* the read callback gives the data; userp is its argument */
#define CURL_HTTPPOST_LARGE (1 << 7)       /* contentlen counts */

typedef enum {
  CURLFORM_NOTHING = 0,
  CURLFORM_COPYNAME = 1,
  CURLFORM_PTRNAME = 2,
  CURLFORM_NAMELENGTH = 3,
  CURLFORM_COPYCONTENTS = 4,
  CURLFORM_PTRCONTENTS = 5,
  CURLFORM_CONTENTSLENGTH = 6,
  CURLFORM_FILECONTENT = 7,
  CURLFORM_ARRAY = 8,
  CURLFORM_OBSOLETE = 9,
  CURLFORM_FILE = 10,
  CURLFORM_BUFFER = 11,
  CURLFORM_BUFFERPTR = 12,
  CURLFORM_BUFFERLENGTH = 13,
  CURLFORM_CONTENTTYPE = 14,
  CURLFORM_CONTENTHEADER = 15,
  CURLFORM_FILENAME = 16,
  CURLFORM_END = 17,
  CURLFORM_OBSOLETE2 = 18,
  CURLFORM_STREAM = 19,
  CURLFORM_CONTENTLEN = 20,
  CURLFORM_LASTENTRY = 21
} CURLformoption;

struct curl_forms {
  CURLformoption option;
  const char *value;
};

typedef enum {
  CURL_FORMADD_OK = 0,
  CURL_FORMADD_MEMORY = 1,
  CURL_FORMADD_OPTION_TWICE = 2,
  CURL_FORMADD_NULL = 3,
  CURL_FORMADD_UNKNOWN_OPTION = 4,
  CURL_FORMADD_INCOMPLETE = 5,
  CURL_FORMADD_ILLEGAL_ARRAY = 6,
  CURL_FORMADD_DISABLED = 7, /* not in this build */
  CURL_FORMADD_LAST = 8
} CURLFORMcode;

typedef size_t (*curl_formget_callback)(void *arg, const char *buf, size_t len);

CURL_EXTERN CURL_DEPRECATED(7.56.0, "Use curl_mime_init()")
CURLFORMcode curl_formadd(struct curl_httppost **httppost, struct curl_httppost **last_post, ...);
CURL_EXTERN CURL_DEPRECATED(7.56.0, "")
int curl_formget(struct curl_httppost *form, void *arg, curl_formget_callback append);
CURL_EXTERN CURL_DEPRECATED(7.56.0, "Use curl_mime_free()")
void curl_formfree(struct curl_httppost *form);

/* Facts about a transfer ------------------------------------------------------------------------------ */

/* The class of a CURLINFO_* tells what its argument points to. */
#define CURLINFO_STRING 0x100000 /* char *: the handle's */
#define CURLINFO_LONG 0x200000   /* long */
#define CURLINFO_DOUBLE 0x300000 /* double */
#define CURLINFO_SLIST 0x400000  /* struct curl_slist * */
#define CURLINFO_PTR 0x400000    /* another pointer; same number as SLIST */
#define CURLINFO_SOCKET 0x500000 /* curl_socket_t */
#define CURLINFO_OFF_T 0x600000  /* curl_off_t */
#define CURLINFO_MASK 0x0fffff
#define CURLINFO_TYPEMASK 0xf00000

/* Times are seconds as a double, and microseconds where the name ends in _T; each counts from the start of
 * the transfer, redirects included. */
typedef enum {
  CURLINFO_NONE = 0,
  CURLINFO_EFFECTIVE_URL = CURLINFO_STRING + 1, /* after redirects */
  CURLINFO_RESPONSE_CODE = CURLINFO_LONG + 2, /* of the last response; 0: none */
  CURLINFO_TOTAL_TIME = CURLINFO_DOUBLE + 3,
  CURLINFO_NAMELOOKUP_TIME = CURLINFO_DOUBLE + 4, /* until the name was looked up */
  CURLINFO_CONNECT_TIME = CURLINFO_DOUBLE + 5, /* until connected */
  CURLINFO_PRETRANSFER_TIME = CURLINFO_DOUBLE + 6, /* until the request could be sent */
  CURLINFO_SIZE_UPLOAD = CURLINFO_DOUBLE + 7, /* bytes */
  CURLINFO_SIZE_UPLOAD_T = CURLINFO_OFF_T + 7,
  CURLINFO_SIZE_DOWNLOAD = CURLINFO_DOUBLE + 8, /* bytes of the body */
  CURLINFO_SIZE_DOWNLOAD_T = CURLINFO_OFF_T + 8,
  CURLINFO_SPEED_DOWNLOAD = CURLINFO_DOUBLE + 9, /* bytes per second, on average */
  CURLINFO_SPEED_DOWNLOAD_T = CURLINFO_OFF_T + 9,
  CURLINFO_SPEED_UPLOAD = CURLINFO_DOUBLE + 10, /* bytes per second, on average */
  CURLINFO_SPEED_UPLOAD_T = CURLINFO_OFF_T + 10,
  CURLINFO_HEADER_SIZE = CURLINFO_LONG + 11, /* bytes of all headers received */
  CURLINFO_REQUEST_SIZE = CURLINFO_LONG + 12, /* bytes of the requests sent */
  CURLINFO_SSL_VERIFYRESULT = CURLINFO_LONG + 13, /* the TLS library's code; 0: good */
  CURLINFO_FILETIME = CURLINFO_LONG + 14, /* Unix seconds; -1: not known */
  CURLINFO_FILETIME_T = CURLINFO_OFF_T + 14,
  CURLINFO_CONTENT_LENGTH_DOWNLOAD = CURLINFO_DOUBLE + 15, /* bytes as the header says; -1: not known */
  CURLINFO_CONTENT_LENGTH_DOWNLOAD_T = CURLINFO_OFF_T + 15,
  CURLINFO_CONTENT_LENGTH_UPLOAD = CURLINFO_DOUBLE + 16, /* bytes; -1: not known */
  CURLINFO_CONTENT_LENGTH_UPLOAD_T = CURLINFO_OFF_T + 16,
  CURLINFO_STARTTRANSFER_TIME = CURLINFO_DOUBLE + 17, /* until the first byte came */
  CURLINFO_CONTENT_TYPE = CURLINFO_STRING + 18, /* NULL: none */
  CURLINFO_REDIRECT_TIME = CURLINFO_DOUBLE + 19, /* spent on redirects before the last request */
  CURLINFO_REDIRECT_COUNT = CURLINFO_LONG + 20, /* redirects followed */
  CURLINFO_PRIVATE = CURLINFO_STRING + 21, /* char *: CURLOPT_PRIVATE's pointer */
  CURLINFO_HTTP_CONNECTCODE = CURLINFO_LONG + 22, /* a proxy's answer to CONNECT */
  CURLINFO_HTTPAUTH_AVAIL = CURLINFO_LONG + 23, /* CURLAUTH_* bits that the server offers */
  CURLINFO_PROXYAUTH_AVAIL = CURLINFO_LONG + 24, /* CURLAUTH_* bits that the proxy offers */
  CURLINFO_OS_ERRNO = CURLINFO_LONG + 25, /* of a failed connect */
  CURLINFO_NUM_CONNECTS = CURLINFO_LONG + 26, /* new connections it took */
  CURLINFO_SSL_ENGINES = CURLINFO_SLIST + 27, /* for curl_slist_free_all() */
  CURLINFO_COOKIELIST = CURLINFO_SLIST + 28, /* for curl_slist_free_all() */
  CURLINFO_LASTSOCKET = CURLINFO_LONG + 29, /* use CURLINFO_ACTIVESOCKET */
  CURLINFO_FTP_ENTRY_PATH = CURLINFO_STRING + 30, /* directory after login */
  CURLINFO_REDIRECT_URL = CURLINFO_STRING + 31, /* where a redirect would have led */
  CURLINFO_PRIMARY_IP = CURLINFO_STRING + 32, /* the other end's address */
  CURLINFO_APPCONNECT_TIME = CURLINFO_DOUBLE + 33, /* until the TLS handshake was done */
  CURLINFO_CERTINFO = CURLINFO_PTR + 34, /* struct curl_certinfo *, the handle's */
  CURLINFO_CONDITION_UNMET = CURLINFO_LONG + 35, /* 1: not newer than CURLOPT_TIMEVALUE */
  CURLINFO_RTSP_SESSION_ID = CURLINFO_STRING + 36,
  CURLINFO_RTSP_CLIENT_CSEQ = CURLINFO_LONG + 37,
  CURLINFO_RTSP_SERVER_CSEQ = CURLINFO_LONG + 38,
  CURLINFO_RTSP_CSEQ_RECV = CURLINFO_LONG + 39,
  CURLINFO_PRIMARY_PORT = CURLINFO_LONG + 40,
  CURLINFO_LOCAL_IP = CURLINFO_STRING + 41,
  CURLINFO_LOCAL_PORT = CURLINFO_LONG + 42,
  CURLINFO_TLS_SESSION = CURLINFO_PTR + 43, /* use CURLINFO_TLS_SSL_PTR */
  CURLINFO_ACTIVESOCKET = CURLINFO_SOCKET + 44, /* CURL_SOCKET_BAD: none */
  CURLINFO_TLS_SSL_PTR = CURLINFO_PTR + 45, /* struct curl_tlssessioninfo *, the handle's */
  CURLINFO_HTTP_VERSION = CURLINFO_LONG + 46, /* CURL_HTTP_VERSION_*; 0: none */
  CURLINFO_PROXY_SSL_VERIFYRESULT = CURLINFO_LONG + 47,
  CURLINFO_PROTOCOL = CURLINFO_LONG + 48, /* use CURLINFO_SCHEME */
  CURLINFO_SCHEME = CURLINFO_STRING + 49,
  CURLINFO_TOTAL_TIME_T = CURLINFO_OFF_T + 50,
  CURLINFO_NAMELOOKUP_TIME_T = CURLINFO_OFF_T + 51,
  CURLINFO_CONNECT_TIME_T = CURLINFO_OFF_T + 52,
  CURLINFO_PRETRANSFER_TIME_T = CURLINFO_OFF_T + 53,
  CURLINFO_STARTTRANSFER_TIME_T = CURLINFO_OFF_T + 54,
  CURLINFO_REDIRECT_TIME_T = CURLINFO_OFF_T + 55,
  CURLINFO_APPCONNECT_TIME_T = CURLINFO_OFF_T + 56,
  CURLINFO_RETRY_AFTER = CURLINFO_OFF_T + 57, /* seconds; 0: no such header */
  CURLINFO_EFFECTIVE_METHOD = CURLINFO_STRING + 58, /* of the last request */
  CURLINFO_PROXY_ERROR = CURLINFO_LONG + 59, /* CURLproxycode */
  CURLINFO_REFERER = CURLINFO_STRING + 60, /* as sent */
  CURLINFO_CAINFO = CURLINFO_STRING + 61, /* the build's default */
  CURLINFO_CAPATH = CURLINFO_STRING + 62, /* the build's default */
  CURLINFO_XFER_ID = CURLINFO_OFF_T + 63, /* number of the transfer; -1: none yet */
  CURLINFO_CONN_ID = CURLINFO_OFF_T + 64, /* number of the connection; -1: none */
  CURLINFO_QUEUE_TIME_T = CURLINFO_OFF_T + 65, /* waiting for its turn */
  CURLINFO_USED_PROXY = CURLINFO_LONG + 66, /* 1: through a proxy */
  CURLINFO_POSTTRANSFER_TIME_T = CURLINFO_OFF_T + 67, /* until the last byte was sent */
  CURLINFO_EARLYDATA_SENT_T = CURLINFO_OFF_T + 68, /* bytes; negative: the server refused them */
  CURLINFO_HTTPAUTH_USED = CURLINFO_LONG + 69, /* one CURLAUTH_* bit, or 0 */
  CURLINFO_PROXYAUTH_USED = CURLINFO_LONG + 70, /* one CURLAUTH_* bit, or 0 */
  CURLINFO_SIZE_DELIVERED = CURLINFO_OFF_T + 71, /* bytes given to the write callback */
  CURLINFO_LASTONE = 71
} CURLINFO;

#define CURLINFO_HTTP_CODE CURLINFO_RESPONSE_CODE

/* CURLINFO_CERTINFO: a list of "name:value" for every certificate of the chain. */
struct curl_certinfo {
  int num_of_certs;
  struct curl_slist **certinfo;
};

/* CURLINFO_TLS_SSL_PTR: the TLS library's own session object (OpenSSL: SSL *). */
struct curl_tlssessioninfo {
  curl_sslbackend backend;
  void *internals;
};

/* Sharing between handles ----------------------------------------------------------------------------- */

typedef enum {
  CURL_LOCK_DATA_NONE = 0,
  CURL_LOCK_DATA_SHARE = 1, /* the share object itself */
  CURL_LOCK_DATA_COOKIE = 2,
  CURL_LOCK_DATA_DNS = 3,
  CURL_LOCK_DATA_SSL_SESSION = 4,
  CURL_LOCK_DATA_CONNECT = 5,
  CURL_LOCK_DATA_PSL = 6,
  CURL_LOCK_DATA_HSTS = 7,
  CURL_LOCK_DATA_LAST = 8
} curl_lock_data;

typedef enum {
  CURL_LOCK_ACCESS_NONE = 0,
  CURL_LOCK_ACCESS_SHARED = 1,
  CURL_LOCK_ACCESS_SINGLE = 2,
  CURL_LOCK_ACCESS_LAST = 3
} curl_lock_access;

typedef void (*curl_lock_function)(CURL *handle, curl_lock_data data, curl_lock_access locktype,
                                   void *userptr);
typedef void (*curl_unlock_function)(CURL *handle, curl_lock_data data, void *userptr);

typedef enum {
  CURLSHE_OK = 0,
  CURLSHE_BAD_OPTION = 1,
  CURLSHE_IN_USE = 2, /* a handle still has it */
  CURLSHE_INVALID = 3,
  CURLSHE_NOMEM = 4,
  CURLSHE_NOT_BUILT_IN = 5,
  CURLSHE_LAST = 6
} CURLSHcode;

typedef enum {
  CURLSHOPT_NONE = 0,
  CURLSHOPT_SHARE = 1,      /* long, a CURL_LOCK_DATA_*: share this */
  CURLSHOPT_UNSHARE = 2,    /* long: stop sharing this */
  CURLSHOPT_LOCKFUNC = 3,   /* curl_lock_function */
  CURLSHOPT_UNLOCKFUNC = 4, /* curl_unlock_function */
  CURLSHOPT_USERDATA = 5,   /* void *: for the lock functions */
  CURLSHOPT_LAST = 6
} CURLSHoption;

/* NULL when memory ran out. */
CURL_EXTERN CURLSH *curl_share_init(void);
CURL_EXTERN CURLSHcode curl_share_setopt(CURLSH *sh, CURLSHoption option, ...);
/* CURLSHE_IN_USE while an easy handle still has it. */
CURL_EXTERN CURLSHcode curl_share_cleanup(CURLSH *sh);
/* A constant text. */
CURL_EXTERN const char *curl_share_strerror(CURLSHcode error);

/* The library as a whole ------------------------------------------------------------------------------ */

/* Flags of curl_global_init(). */
#define CURL_GLOBAL_SSL (1 << 0)
#define CURL_GLOBAL_WINSOCK (1 << 1)
#define CURL_GLOBAL_WIN32 CURL_GLOBAL_WINSOCK /* its name before 8.23 */
#define CURL_GLOBAL_ALL (CURL_GLOBAL_SSL | CURL_GLOBAL_WINSOCK)
#define CURL_GLOBAL_NOTHING 0
#define CURL_GLOBAL_DEFAULT CURL_GLOBAL_ALL
#define CURL_GLOBAL_ACK_EINTR (1 << 2)

/* Counted: as many calls of curl_global_cleanup() undo it. */
CURL_EXTERN CURLcode curl_global_init(long flags);

/* The same, with the application's memory functions; only the first call counts. All five must be given. */
CURL_EXTERN CURLcode curl_global_init_mem(long flags, curl_malloc_callback m, curl_free_callback f,
                                          curl_realloc_callback r, curl_strdup_callback s,
                                          curl_calloc_callback c);
CURL_EXTERN void curl_global_cleanup(void);

/* Which components write log lines when CURLOPT_VERBOSE is set: "all", "-all", "dns,tcp" ... */
CURL_EXTERN CURLcode curl_global_trace(const char *config);

/* Which members of the struct below are there. */
typedef enum {
  CURLVERSION_FIRST = 0,
  CURLVERSION_SECOND = 1,
  CURLVERSION_THIRD = 2,
  CURLVERSION_FOURTH = 3,
  CURLVERSION_FIFTH = 4,
  CURLVERSION_SIXTH = 5,
  CURLVERSION_SEVENTH = 6,
  CURLVERSION_EIGHTH = 7,
  CURLVERSION_NINTH = 8,
  CURLVERSION_TENTH = 9,
  CURLVERSION_ELEVENTH = 10,
  CURLVERSION_TWELFTH = 11,
  CURLVERSION_LAST = 12
} CURLversion;

#define CURLVERSION_NOW CURLVERSION_TWELFTH

/* Constant data of the library; NULL or 0 stands for what is not built in. */
struct curl_version_info_data {
  CURLversion age;
  const char *version;              /* LIBCURL_VERSION */
  unsigned int version_num;         /* LIBCURL_VERSION_NUM */
  const char *host;                 /* what the library was built for */
  int features;                     /* CURL_VERSION_* */
  const char *ssl_version;
  long ssl_version_num;             /* always 0 */
  const char *libz_version;
  const char * const *protocols;    /* names, NULL after the last */

  /* CURLVERSION_SECOND */
  const char *ares;
  int ares_num;

  /* CURLVERSION_THIRD */
  const char *libidn;

  /* CURLVERSION_FOURTH */
  int iconv_ver_num;
  const char *libssh_version;

  /* CURLVERSION_FIFTH */
  unsigned int brotli_ver_num;      /* major << 24 | minor << 12 | patch */
  const char *brotli_version;

  /* CURLVERSION_SIXTH */
  unsigned int nghttp2_ver_num;     /* major << 16 | minor << 8 | patch */
  const char *nghttp2_version;
  const char *quic_version;

  /* CURLVERSION_SEVENTH */
  const char *cainfo;               /* default of CURLOPT_CAINFO */
  const char *capath;               /* default of CURLOPT_CAPATH */

  /* CURLVERSION_EIGHTH */
  unsigned int zstd_ver_num;        /* major << 24 | minor << 12 | patch */
  const char *zstd_version;

  /* CURLVERSION_NINTH */
  const char *hyper_version;

  /* CURLVERSION_TENTH */
  const char *gsasl_version;

  /* CURLVERSION_ELEVENTH */
  const char * const *feature_names; /* NULL after the last */

  /* CURLVERSION_TWELFTH */
  const char *rtmp_version;
};
typedef struct curl_version_info_data curl_version_info_data;

/* Bits of features. */
#define CURL_VERSION_IPV6 (1 << 0)
#define CURL_VERSION_KERBEROS4 (1 << 1)    /* no longer of use */
#define CURL_VERSION_SSL (1 << 2)
#define CURL_VERSION_LIBZ (1 << 3)         /* gzip and deflate */
#define CURL_VERSION_NTLM (1 << 4)
#define CURL_VERSION_GSSNEGOTIATE (1 << 5) /* no longer of use */
#define CURL_VERSION_DEBUG (1 << 6)
#define CURL_VERSION_ASYNCHDNS (1 << 7)    /* name lookups do not block */
#define CURL_VERSION_SPNEGO (1 << 8)
#define CURL_VERSION_LARGEFILE (1 << 9)    /* files over 2 GB */
#define CURL_VERSION_IDN (1 << 10)
#define CURL_VERSION_SSPI (1 << 11)
#define CURL_VERSION_CONV (1 << 12)        /* no longer of use */
#define CURL_VERSION_CURLDEBUG (1 << 13)   /* no longer of use */
#define CURL_VERSION_TLSAUTH_SRP (1 << 14) /* no longer of use */
#define CURL_VERSION_NTLM_WB (1 << 15)     /* no longer of use */
#define CURL_VERSION_HTTP2 (1 << 16)
#define CURL_VERSION_GSSAPI (1 << 17)
#define CURL_VERSION_KERBEROS5 (1 << 18)
#define CURL_VERSION_UNIX_SOCKETS (1 << 19)
#define CURL_VERSION_PSL (1 << 20)         /* public suffix list */
#define CURL_VERSION_HTTPS_PROXY (1 << 21)
#define CURL_VERSION_MULTI_SSL (1 << 22)   /* more than one TLS back end */
#define CURL_VERSION_BROTLI (1 << 23)
#define CURL_VERSION_ALTSVC (1 << 24)
#define CURL_VERSION_HTTP3 (1 << 25)
#define CURL_VERSION_ZSTD (1 << 26)
#define CURL_VERSION_UNICODE (1 << 27)     /* file names on Windows */
#define CURL_VERSION_HSTS (1 << 28)
#define CURL_VERSION_GSASL (1 << 29)
#define CURL_VERSION_THREADSAFE (1 << 30)  /* curl_global_init() is */

/* "libcurl/8.22.0 Mote/x.y.z OpenSSL/x.y.z ...": constant text. */
CURL_EXTERN char *curl_version(void);

/* stamp: CURLVERSION_NOW. */
CURL_EXTERN curl_version_info_data *curl_version_info(CURLversion stamp);

/* Flow ------------------------------------------------------------------------------------------------ */

#define CURLPAUSE_RECV (1 << 0)
#define CURLPAUSE_RECV_CONT 0
#define CURLPAUSE_SEND (1 << 2)
#define CURLPAUSE_SEND_CONT 0
#define CURLPAUSE_ALL (CURLPAUSE_RECV | CURLPAUSE_SEND)
#define CURLPAUSE_CONT (CURLPAUSE_RECV_CONT | CURLPAUSE_SEND_CONT)

/* Which directions are to rest from now on; callbacks may be called from within. */
CURL_EXTERN CURLcode curl_easy_pause(CURL *curl, int action);

/* TLS sessions ---------------------------------------------------------------------------------------- */

/* One cached session. Keep sdata and either session_key or shmac; valid_until is in Unix seconds. Anything
 * but CURLE_OK ends the export. */
typedef CURLcode curl_ssls_export_cb(CURL *curl, void *userptr, const char *session_key,
                                     const unsigned char *shmac, size_t shmac_len,
                                     const unsigned char *sdata, size_t sdata_len, curl_off_t valid_until,
                                     int ietf_tls_id, const char *alpn, size_t earlydata_max);

CURL_EXTERN CURLcode curl_easy_ssls_export(CURL *curl, curl_ssls_export_cb *export_fn, void *userptr);

/* session_key may be NULL when shmac is given. */
CURL_EXTERN CURLcode curl_easy_ssls_import(CURL *curl, const char *session_key, const unsigned char *shmac,
                                           size_t shmac_len, const unsigned char *sdata, size_t sdata_len);

/* Small helpers --------------------------------------------------------------------------------------- */

/* Give back memory that the library gave. NULL is allowed. */
CURL_EXTERN void curl_free(void *p);

/* The list with a copy of data at its end; NULL when memory ran out, and the list is as it was.
 * Start with NULL. */
CURL_EXTERN struct curl_slist *curl_slist_append(struct curl_slist *list, const char *data);
CURL_EXTERN void curl_slist_free_all(struct curl_slist *list);

/* Percent-encode all but A-Z a-z 0-9 - . _ ~. length 0: up to the NUL. For curl_free(); NULL on an error. */
CURL_EXTERN char *curl_easy_escape(CURL *curl, const char *string, int length);

/* The reverse. *outlength (NULL is allowed) is the length, for results with NUL bytes in them. */
CURL_EXTERN char *curl_easy_unescape(CURL *curl, const char *string, int inlength, int *outlength);

/* The same, without a handle. */
CURL_EXTERN char *curl_escape(const char *string, int length);
CURL_EXTERN char *curl_unescape(const char *string, int length);

/* A copy of an environment variable, for curl_free(). NULL: not set. */
CURL_EXTERN char *curl_getenv(const char *variable);

/* Seconds since 1970 of a date in any usual format; -1 when it is none. unused: NULL. */
CURL_EXTERN time_t curl_getdate(const char *p, const time_t *unused);

/* 1 when equal, A to Z counting as a to z whatever the locale; of the first n bytes. */
CURL_EXTERN int curl_strequal(const char *s1, const char *s2);
CURL_EXTERN int curl_strnequal(const char *s1, const char *s2, size_t n);

#ifdef __cplusplus
}
#endif

#include "easy.h"
#include "multi.h"
#include "urlapi.h"
#include "options.h"
#include "header.h"
#include "websockets.h"
#include "mprintf.h"

/* In C, a call with too few or too many arguments does not compile. */
#if !defined(__cplusplus) && !defined(CURL_DISABLE_TYPECHECK)
#define curl_easy_setopt(handle, option, value) curl_easy_setopt(handle, option, value)
#define curl_easy_getinfo(handle, info, arg) curl_easy_getinfo(handle, info, arg)
#define curl_share_setopt(share, option, value) curl_share_setopt(share, option, value)
#define curl_multi_setopt(handle, option, value) curl_multi_setopt(handle, option, value)
#endif

#endif
