/* tool/transfers/resume.h: decides whether a retry may ask for the rest of a document alone, and whether what
 * it got is that rest.
 *
 * If-Range does not suffice, since a server that knows Range alone sends the end of another document.
 * Therefore the response has to have the validator of the first try, and the same length of the whole
 * document where both responses say it. If it has not, nothing of it is written, the try ends with
 * CURLE_RANGE_ERROR, and the next try fetches everything that the first one asked for. --continue-at - is the
 * exception where there is no validator, since its user asks for whatever the file lacks. What the file had
 * before the command is never compared.
 *
 * Tests: tests/tool/test_retries.py */
#ifndef MOTE_TOOL_TRANSFERS_RESUME_H
#define MOTE_TOOL_TRANSFERS_RESUME_H

#include "tool/transfers/transfer.h"

/* --continue-at -: the user asks for whatever the file lacks, in a retry too. */
bool mote_cli_continues(const struct transfer *t);

/* After a try that failed with `code`: reports whether a retry may request the rest alone, and sets
 * t->retry.validator and .length. The server has to support ranges, and a validator has to show whether the
 * document is still the same (RFC 9110 section 13.1.5). --continue-at - goes on without one too, as its first
 * try has none either. */
bool mote_cli_may_resume(struct transfer *t, CURLcode code);

/* Before the first byte of a body: reports whether it may be written after what the file has. */
bool mote_cli_may_append(const struct transfer *t);

/* After a try that failed with `code`: reports whether it was to bring the rest and the server has another
 * document, or does not give the rest of this one. Then what the tries wrote is dropped. */
bool mote_cli_is_replaced(const struct transfer *t, CURLcode code);

/* After a try: returns its code, or CURLE_RANGE_ERROR if it was to bring the rest and ended well without
 * it. For --continue-at, and so for the library, a 416 or a document just as long as the file means that
 * there is no rest. After a try that broke it means that the document is another one, but for a 416 to
 * --continue-at -. A 206 may have a part of the rest, or nothing. */
CURLcode mote_cli_resume_failure(struct transfer *t, CURLcode code);

#endif
