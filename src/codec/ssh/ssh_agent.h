/* codec/ssh/ssh_agent.h: messages to and from an agent that holds keys (draft-miller-ssh-agent).
 *
 * A message is its length in four bytes, a type, and the content. Strings are as in RFC 4251 section 5.
 *
 * Ownership: pure data; what is read points into the message.
 * Failure:   a writer returns the buffer's errors.
 * Tests:     tests/unit/codec/test_ssh_agent.c, fuzz/fuzz_ssh_agent.c */
#ifndef MOTE_CODEC_SSH_SSH_AGENT_H
#define MOTE_CODEC_SSH_SSH_AGENT_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct mote_buf;

#define MOTE_SSH_AGENT_MOST 262144u /* bytes of a message; OpenSSH's agent has the same limit */

/* Adds the request for the keys (section 3.5). */
CURLcode mote_ssh_agent_put_list(struct mote_buf *out);
/* Adds the request to sign `data` with a key (section 3.6). data: what RFC 4252 section 7 has signed. It
 * names the algorithm, which decides on the hash of a signature by RSA. */
CURLcode mote_ssh_agent_put_sign(struct mote_buf *out, struct mote_slice key, struct mote_slice data);

/* Returns the bytes of the message that begins with these. 0: more bytes are needed to know.
 * SIZE_MAX: a message that no memory has room for. */
size_t mote_ssh_agent_len(struct mote_slice bytes);
/* Reads the answer with the keys. *keys gets those that mote_ssh_agent_next_key() takes off. False: it is
 * none, such as SSH_AGENT_FAILURE. */
bool mote_ssh_agent_read_keys(struct mote_slice message, struct mote_slice *keys);
/* Takes one key off: a public key as RFC 4253 section 6.6 has it. False: there are no more. */
bool mote_ssh_agent_next_key(struct mote_slice *keys, struct mote_slice *key);
/* Reads the answer with a signature, without the name of its algorithm. False: it is none, or of another
 * algorithm than `data` names. */
bool mote_ssh_agent_read_signature(struct mote_slice message, struct mote_slice data,
                                   struct mote_slice *signature);

#endif
