/* http/cookies/cookie_files.h: files of cookies in Netscape's format, which an engine reads
 * (CURLOPT_COOKIEFILE(3)) and writes (CURLOPT_COOKIEJAR(3)), as http/hosts/text_files.h has it.
 *
 * Ownership: the list is the engine's; the transfer's account pays.
 * Errors:    CURLE_OUT_OF_MEMORY. A file that cannot be read or written is reported as an info line alone, by
 *            mote_cookie_files_warn() and mote_cookie_files_report(), which are called without a lock and
 *            whose callback may free the list.
 * Tests:     tests/e2e/test_cookies.py */
#ifndef MOTE_HTTP_COOKIES_COOKIE_FILES_H
#define MOTE_HTTP_COOKIES_COOKIE_FILES_H

#include <curl/curl.h>
#include <stdbool.h>

#include "parts.h"

struct mote_jar;
struct mote_text_file;
struct mote_transfer;

#if MOTE_HAS_COOKIE_FILES
/* Reads what has changed into the jar. */
CURLcode mote_cookie_files_read(struct mote_transfer *t, struct mote_text_file *list, struct mote_jar *jar);
/* Reports one path that reading found to be a directory. False: none is left to report. */
bool mote_cookie_files_warn(struct mote_transfer *t, struct mote_text_file *list);
/* Writes all cookies to a file, or to stdout ("-"). Returns the errno of a failure, or 0. */
int mote_cookie_files_write(struct mote_transfer *t, const char *path, struct mote_jar *jar);
/* Reports that failure; 0: does nothing. */
void mote_cookie_files_report(struct mote_transfer *t, const char *path, int error);
#else
#define mote_cookie_files_read(t, list, jar) ((void)(t), (void)(list), (void)(jar), (CURLcode)CURLE_OK)
#define mote_cookie_files_warn(t, list) ((void)(t), (void)(list), false)
#define mote_cookie_files_write(t, path, jar) ((void)(t), (void)(path), (void)(jar), 0)
#define mote_cookie_files_report(t, path, error) ((void)(t), (void)(path), (void)(error))
#endif

#endif
