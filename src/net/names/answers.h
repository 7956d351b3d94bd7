/* net/names/answers.h: what names.c needs of answers and their cache (net/names/names.h). No other file than
 * these two includes it. */
#ifndef MOTE_NET_NAMES_ANSWERS_H
#define MOTE_NET_NAMES_ANSWERS_H

#include "base/text.h"
#include "net/names/names.h"

/* Returns an answer with copies of the name, in lower case, and the addresses, and one reference. NULL: out
 * of memory. */
struct mote_answer *mote_answer_new(struct mote_account *account, struct mote_slice name, uint16_t port,
                                    const struct mote_addr *found, size_t count);
/* Returns the bytes of such a block. */
size_t mote_answer_size(uint16_t count, uint16_t name_len);
/* Puts the answer into the cache in place of an older one, with a reference of its own. Does nothing where a
 * line of CURLOPT_RESOLVE has put one meanwhile. */
void mote_names_replace(struct mote_names *n, struct mote_answer *a, mote_time now);

#endif
