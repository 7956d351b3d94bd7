/* tool/glob.h: one URL that stands for many: {one,two}, [1-9], [001-100:10], [a-z:2], and with a name for
 * --output in front: {<name>one,two}, [<name>1-9]. Source: curl(1), URL.
 *
 * A glob is read once; its n-th text is then put together on its own, the last part changing fastest. "\{",
 * "\}", "\[", "\]" (and "\," in a set) stand for themselves; IPv6 addresses and "[]" are left alone.
 *
 * Ownership:  one block, freed by mote_cli_glob_free().
 * Failure:    CURLE_URL_MALFORMAT with the reason and place, CURLE_OUT_OF_MEMORY.
 * Tests:      tests/unit/tool/test_glob.c */
#ifndef MOTE_TOOL_GLOB_H
#define MOTE_TOOL_GLOB_H

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

/* How many texts it stands for; at least 1. */
curl_off_t mote_cli_glob_count(const struct glob *glob);

/* Text number n, from 0; allocated. NULL: out of memory. */
char *mote_cli_glob_text(const struct glob *glob, curl_off_t n);

/* An output name for text number n: "#1" is the value of the first glob, "#<name>" of the one so named; a
 * number that no glob has stays as it is. Allocated.
 * CURLE_BAD_FUNCTION_ARGUMENT: no glob of that name; *at is the 1-based place where the name ends.
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_cli_glob_name(const struct glob *glob, curl_off_t n, const char *pattern, char **name,
                            size_t *at);

#endif
