/* tool/transfers/glob.h: patterns of URLs, such as {one,two}, [1-9], [001-100:10] and [a-z:2]. A name for
 * --output may come first, as in {<name>one,two} and [<name>1-9]. Source: curl(1), URL.
 *
 * A pattern is parsed once. Each of its texts can then be made on its own; the last glob changes fastest.
 * "\{", "\}", "\[", "\]" (and "\," in a set) stand for the second character. IPv6 addresses and "[]" are left
 * as they are.
 *
 * Ownership:  one block, freed by mote_cli_glob_free().
 * Errors:     CURLE_URL_MALFORMAT with the reason and place, CURLE_OUT_OF_MEMORY.
 * Tests:      tests/unit/tool/test_glob.c */
#ifndef MOTE_TOOL_TRANSFERS_GLOB_H
#define MOTE_TOOL_TRANSFERS_GLOB_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct glob;

struct glob_error {
  const char *text; /* constant */
  size_t at;        /* 1-based place in the pattern */
};

/* Whether the pattern has anything to expand (or to unescape). */
bool mote_cli_glob_needed(const char *pattern);

CURLcode mote_cli_glob_new(struct glob **glob, const char *pattern, struct glob_error *error);
void mote_cli_glob_free(struct glob *glob);

/* How many texts the pattern stands for, at least 1. */
curl_off_t mote_cli_glob_count(const struct glob *glob);

/* Text number n, from 0; allocated. NULL: out of memory. */
char *mote_cli_glob_text(const struct glob *glob, curl_off_t n);

/* Whose turn it is: the text of the URL, and that of the file to upload. */
struct glob_turn {
  const struct glob *urls;    /* NULL: the URL is no pattern */
  curl_off_t url_at;
  const struct glob *uploads; /* NULL: the upload is none, or there is no upload */
  curl_off_t upload_at;
};

/* The output name for this turn. "#1" is replaced by the value of the first glob of the URL, "#<name>" by
 * that of the named one of the URL or the upload. A number that no glob has stays as it is. Allocated.
 * CURLE_BAD_FUNCTION_ARGUMENT: no glob of that name; *at is the 1-based place where the name ends.
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_cli_glob_name(const struct glob_turn *turn, const char *pattern, char **name, size_t *at);

#endif
