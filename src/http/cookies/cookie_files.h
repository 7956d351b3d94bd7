/* http/cookies/cookie_files.h: files of cookies in Netscape's format, which an engine reads
 * (CURLOPT_COOKIEFILE(3)) and writes (CURLOPT_COOKIEJAR(3)), as http/hosts/text_files.h has it.
 *
 * Ownership: the list is the engine's; the transfer's account pays.
 * Errors:    CURLE_OUT_OF_MEMORY. A file that cannot be read or written is reported as an info line alone.
 * Tests:     tests/e2e/test_cookies.py */
#ifndef MOTE_HTTP_COOKIES_COOKIE_FILES_H
#define MOTE_HTTP_COOKIES_COOKIE_FILES_H

#include <curl/curl.h>

#include "parts.h"

struct mote_jar;
struct mote_text_file;
struct mote_transfer;

#if MOTE_HAS_COOKIE_FILES
/* Reads what has changed into the jar. */
CURLcode mote_cookie_files_read(struct mote_transfer *t, struct mote_text_file *list, struct mote_jar *jar);
/* Writes all cookies to a file, or to stdout ("-"). */
void mote_cookie_files_write(struct mote_transfer *t, const char *path, struct mote_jar *jar);
#else
#define mote_cookie_files_read(t, list, jar) ((void)(t), (void)(list), (void)(jar), (CURLcode)CURLE_OK)
#define mote_cookie_files_write(t, path, jar) ((void)(t), (void)(path), (void)(jar))
#endif

#endif
