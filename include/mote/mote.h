/* mote/mote.h: what Mote adds to libcurl's interface.
 *
 * Nothing here changes what a program sees that uses <curl/curl.h> only. The library counts every byte it
 * takes from the allocator, in the name of an account (who pays) and of a part (what it is for):
 *
 *   an easy handle's account  its options, its copied strings, its transfer, its stored headers
 *   a multi handle's account  its connections, names and buffers; curl_easy_perform() keeps a private one
 *   the process's account     trust store, TLS contexts
 *
 * Strings and lists that the library gives to the application are in no account. Memory of other libraries
 * (TLS) counts only where they take it from us.
 *
 * Threads: the functions that take a handle follow the handle's rule: one thread at a time. The others may
 *          be called from any thread at any time.
 * Tests:   tests/unit/api/test_utility.c, test_init_static.c */
#ifndef MOTE_MOTE_H
#define MOTE_MOTE_H

#include <curl/curl.h>
#include <stddef.h>

#define MOTE_VERSION "0.9.0"
#define MOTE_VERSION_MAJOR 0
#define MOTE_VERSION_MINOR 9
#define MOTE_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library that runs, as MOTE_VERSION is of the header. Constant text. */
CURL_EXTERN const char *mote_version(void);

/* What an account has seen since its handle was made; curl_easy_reset() does not clear it. */
struct mote_account_info {
  size_t live;          /* bytes held now */
  size_t peak;          /* most bytes ever held at once; never below live */
  size_t limit;         /* bytes that live may reach; 0: no limit */
  unsigned int calls;   /* successful allocations, growing a block included */
  unsigned int refused; /* allocations refused because of the limit */
};

/* An easy handle's account. *info is filled on CURLE_OK only.
 * CURLE_BAD_FUNCTION_ARGUMENT: NULL, or not an easy handle. */
CURL_EXTERN CURLcode mote_easy_account(CURL *curl, struct mote_account_info *info);

/* A multi handle's account, without those of the easy handles in it. *info is filled on CURLM_OK only.
 * CURLM_BAD_HANDLE: not a multi handle. CURLM_BAD_FUNCTION_ARGUMENT: info is NULL. */
CURL_EXTERN CURLMcode mote_multi_account(CURLM *multi, struct mote_account_info *info);

/* Set the ceiling of a handle's account in bytes; 0 takes it away. What would go over it is refused: the
 * call or the transfer at hand ends with CURLE_OUT_OF_MEMORY or CURLM_OUT_OF_MEMORY, nothing is lost
 * elsewhere, and the handle can be used again. A ceiling below what is held now is accepted: nothing more
 * is granted until enough has been given back. The first ceiling of a handle takes a block of 16 bytes, which
 * the account pays for: CURLE_OUT_OF_MEMORY, CURLM_OUT_OF_MEMORY when there is none; nothing has changed then.
 * Other errors are those of mote_easy_account() and mote_multi_account(). */
CURL_EXTERN CURLcode mote_easy_limit(CURL *curl, size_t bytes);
CURL_EXTERN CURLMcode mote_multi_limit(CURLM *multi, size_t bytes);

/* What one part of the library has taken, all accounts of the process together. */
struct mote_part_info {
  size_t live;  /* bytes held now */
  size_t peak;  /* most bytes ever held at once */
  size_t calls; /* successful allocations */
};

/* Part number `index`, counted from 0: its name (constant text, lower case, one word) and its counters.
 * Either pointer may be NULL. Returns 1, or 0 when there is no such part; then nothing is stored. Parts are
 * read one by one while other threads may run: a list of them is not one moment's picture.
 *
 *   for(i = 0; mote_part_info(i, &name, &info); i++)
 *     printf("%-10s %zu\n", name, info.live); */
CURL_EXTERN int mote_part_info(int index, const char **name, struct mote_part_info *info);

/* on: every handle that is made from now on counts its own parts, too, from its first block on; 0: no handle
 * any more. Handles that exist stay as they are. Call it before the first handle, like curl_global_init().
 * What it costs: 328 bytes per handle (64-bit), and about 40 instructions per transfer; while it is off, nothing.
 * CURLE_NOT_BUILT_IN: the library was built without accounts (see below). */
CURL_EXTERN CURLcode mote_account_detail(int on);

/* One part (numbered as mote_part_info() does) of one handle's account. The parts' live bytes add up to the
 * account's. *info is filled on CURLE_OK or CURLM_OK only.
 * CURLE_BAD_FUNCTION_ARGUMENT, CURLM_BAD_FUNCTION_ARGUMENT: info is NULL, or there is no such part; or not an
 *                                                          easy handle. CURLM_BAD_HANDLE: not a multi handle.
 * CURLE_FAILED_INIT, CURLM_UNKNOWN_OPTION: the handle was made without mote_account_detail(). */
CURL_EXTERN CURLcode mote_easy_account_part(CURL *curl, int part, struct mote_part_info *info);
CURL_EXTERN CURLMcode mote_multi_account_part(CURLM *multi, int part, struct mote_part_info *info);

/* What the next transfer of a handle will take at most, with the options as they are set. */
struct mote_need {
  size_t bytes;   /* held at once, all accounts together */
  size_t largest; /* the largest single block that is asked for */
  size_t easy;    /* of these bytes: the easy handle's, what it holds already included; fit for mote_easy_limit() */
  size_t multi;   /* and the multi's: the one that the handle is in, else the private one of
                     curl_easy_perform(); the same for a fresh multi that the handle is added to. Other
                     transfers of a multi come on top. Fit for mote_multi_limit() */
};

/* Returns, before a transfer starts, what it will take as the account counts it. This is a ceiling that holds
 * against any server; nearly all of it is room for the longest heads that the library takes (docs/memory.md).
 * *need is all zero on every error.
 *
 * CURLE_TOO_LARGE: the need is unknown, and the error buffer names the cause: TLS with a library that takes memory by
 *   itself (all but BearSSL), also where a redirect may lead to it, as it may unless CURLOPT_REDIR_PROTOCOLS_STR
 *   forbids it; HTTP/2, which a server of https: may choose unless CURLOPT_HTTP_VERSION forbids it;
 *   CURLOPT_ACCEPT_ENCODING and CURLOPT_TRANSFER_ENCODING (decoders); CURLOPT_FOLLOWLOCATION with an endless
 *   CURLOPT_MAXREDIRS; CURLOPT_HTTPPOST; CURLOPT_NETRC; CURLOPT_HTTPAUTH with Digest, whose server may ask again and
 *   again; the cookie engine (CURLOPT_COOKIEFILE and others).
 * CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_OUT_OF_MEMORY: as the transfer would end.
 * CURLE_BAD_FUNCTION_ARGUMENT: NULL, or not an easy handle.
 *
 * Not in it: options that are set, handles that are added and functions that are called (getinfo,
 * curl_easy_header()) after the question; what callbacks take; a transfer coding that the server applies
 * although the client has not asked for it (with limits set, the transfer ends with CURLE_OUT_OF_MEMORY then). */
CURL_EXTERN CURLcode mote_need(CURL *curl, struct mote_need *need);

/* A library built without the part "account" (cmake/parts.cmake) counts nothing and refuses nothing. All functions of
 * accounts, parts and needs answer CURLE_NOT_BUILT_IN or CURLM_UNKNOWN_OPTION then, whatever their arguments,
 * and mote_part_info() returns 0. */

/* Run from one block: from here on every byte that the library takes comes from it, strings and lists that it
 * gives to the application included; malloc is not called. In place of curl_global_init(): the first to be called
 * of the two and curl_global_init_mem() decides, each counts, and each wants its curl_global_cleanup(). With the
 * last of these the block is the caller's again and the library takes memory as before; a handle that is
 * still there keeps it until the next mote_init_static().
 *
 * block: of any alignment, the library's until then. size: bytes, 64 at least; over 4 GB are not used.
 * A request of n bytes takes n + 4 to n + 11 of the block (64-bit: 16 at least). What does not fit ends the call
 * or the transfer with CURLE_OUT_OF_MEMORY like any other lack of memory. mote_static_info() then has in `missing`
 * how much was missing, and so has the error buffer where part texts is built in (not in profiles mcu and tiny, where
 * curl_easy_strerror() says "Error" of every code). Plain HTTP takes all that it needs for a request before it sends a byte; only
 * the answer's header lines that are cut or kept come later. With TLS the handshake comes before the request's.
 * TLS libraries that have an allocator of their own (OpenSSL) and lookups in threads take their memory elsewhere.
 *
 * CURLE_BAD_FUNCTION_ARGUMENT: block is NULL, or size below 64.
 * CURLE_FAILED_INIT: the library is initialised already, by this or another function, or holds memory: there is
 *   a handle. (A library without the part "account" sees memory of the last block only.) */
CURL_EXTERN CURLcode mote_init_static(void *block, size_t size);

/* Bytes of the block. What the library adds to a request, see above, counts as used. */
struct mote_static_info {
  size_t size;    /* what can be used at most */
  size_t used;    /* now */
  size_t peak;    /* most ever used at once */
  size_t largest; /* the largest free piece */
  size_t missing; /* the last request that failed would have needed a piece that much larger than the largest
                     free one was; 0: none has failed */
};

/* *info is filled on CURLE_OK only. CURLE_BAD_FUNCTION_ARGUMENT: NULL. CURLE_FAILED_INIT: there is no block. */
CURL_EXTERN CURLcode mote_static_info(struct mote_static_info *info);

#ifdef __cplusplus
}
#endif

#endif
