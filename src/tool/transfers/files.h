/* tool/transfers/files.h: reading files for options.
 * Tests: tests/tool/test_same_as_curl.py */
#ifndef MOTE_TOOL_TRANSFERS_FILES_H
#define MOTE_TOOL_TRANSFERS_FILES_H

#include <curl/curl.h>
#include <stddef.h>

/* Bytes of the smallest file that is read while it is sent. A smaller one is read at once, to its end and not
 * to the size that the system gives: that of a file in /proc is 0 and that of one in /sys is a page. */
#define MOTE_CLI_LEAST_STREAMED 65536

/* The whole file ("-": stdin) and a NUL, in kept memory. CURLE_READ_ERROR, CURLE_OUT_OF_MEMORY. */
CURLcode mote_cli_read_file(const char *path, char **bytes, size_t *len);

/* The same of a text that consists of lines. A NUL byte is CURLE_READ_ERROR with the reason UNREAD_NUL, since
 * the lines after it would be lost. */
CURLcode mote_cli_read_text(const char *path, char **text);

/* Remove CR, LF and NUL bytes. Returns the new length. text[len] is a NUL before and after. */
size_t mote_cli_strip_lines(char *text, size_t len);

/* Make the missing directories of a path, up to its last '/'. A failure leaves its reason in errno. */
CURLcode mote_cli_make_dirs(const char *path);

#endif
