/* codec/ssh/ssh_agent.c: messages to and from an agent (codec/ssh/ssh_agent.h). */
#include "codec/ssh/ssh_agent.h"

#include <stdint.h>

#include "base/buf.h"
#include "base/memory/ceiling.h"

#define NUMBER 4u /* bytes */
#define BYTE 1u

enum type {
  REQUEST_IDENTITIES = 11,
  IDENTITIES_ANSWER = 12,
  SIGN_REQUEST = 13,
  SIGN_RESPONSE = 14
};

/* Flags of SIGN_REQUEST (section 3.6.1). */
enum flag {
  RSA_SHA2_256 = 2,
  RSA_SHA2_512 = 4
};

/* ---- fields ---- */

static uint32_t codec_ssh_agent_number_at(const char *at)
{
  const unsigned char *b = (const unsigned char *)at;
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static bool codec_ssh_agent_take_bytes(struct mote_slice *rest, size_t n, struct mote_slice *out)
{
  if(rest->len < n)
    return false;
  *out = (struct mote_slice){rest->ptr, n};
  mote_slice_skip(rest, n);
  return true;
}

static bool take_string(struct mote_slice *rest, struct mote_slice *out)
{
  struct mote_slice len;
  return codec_ssh_agent_take_bytes(rest, NUMBER, &len) &&
    codec_ssh_agent_take_bytes(rest, codec_ssh_agent_number_at(len.ptr), out);
}

static CURLcode codec_ssh_agent_put_number(struct mote_buf *out, size_t n)
{
  const unsigned char b[NUMBER] = {(unsigned char)(n >> 24), (unsigned char)(n >> 16),
                                   (unsigned char)(n >> 8), (unsigned char)n};
  return mote_buf_add(out, b, sizeof b);
}

static CURLcode codec_ssh_agent_put_string(struct mote_buf *out, struct mote_slice s)
{
  CURLcode rc = codec_ssh_agent_put_number(out, s.len);
  return rc || !s.len ? rc : mote_buf_add(out, s.ptr, s.len);
}

static CURLcode codec_ssh_agent_put_head(struct mote_buf *out, enum type type, size_t content)
{
  const char byte = (char)type;
  CURLcode rc = codec_ssh_agent_put_number(out, BYTE + content);
  return rc ? rc : mote_buf_add(out, &byte, BYTE);
}

/* Takes the length and the type off. */
static bool codec_ssh_agent_take_head(struct mote_slice *message, enum type type)
{
  struct mote_slice inside, byte;
  if(!take_string(message, &inside) || !codec_ssh_agent_take_bytes(&inside, BYTE, &byte) ||
     *byte.ptr != (char)type)
    return false;
  *message = inside;
  return true;
}

/* Finds the name of the algorithm in what is signed: session identifier, a byte, user, service, method, a
 * boolean, the name, the key (RFC 4252 section 7). */
static bool find_algorithm(struct mote_slice data, struct mote_slice *name)
{
  struct mote_slice part;
  return take_string(&data, &part) && codec_ssh_agent_take_bytes(&data, BYTE, &part) &&
    take_string(&data, &part) &&
         take_string(&data, &part) && take_string(&data, &part) &&
           codec_ssh_agent_take_bytes(&data, BYTE, &part) &&
         take_string(&data, name);
}

/* ---- requests ---- */

CURLcode mote_ssh_agent_put_list(struct mote_buf *out)
{
  return codec_ssh_agent_put_head(out, REQUEST_IDENTITIES, 0);
}

CURLcode mote_ssh_agent_put_sign(struct mote_buf *out, struct mote_slice key, struct mote_slice data)
{
  struct mote_slice name = {NULL, 0};
  unsigned flags = 0;
  CURLcode rc;
  (void)find_algorithm(data, &name);
  if(mote_slice_is(name, "rsa-sha2-256"))
    flags = RSA_SHA2_256;
  if(mote_slice_is(name, "rsa-sha2-512"))
    flags = RSA_SHA2_512;
  rc = codec_ssh_agent_put_head(out, SIGN_REQUEST, NUMBER + key.len + NUMBER + data.len + NUMBER);
  rc = rc ? rc : codec_ssh_agent_put_string(out, key);
  rc = rc ? rc : codec_ssh_agent_put_string(out, data);
  return rc ? rc : codec_ssh_agent_put_number(out, flags);
}

/* ---- answers ---- */

size_t mote_ssh_agent_len(struct mote_slice bytes)
{
  return bytes.len < NUMBER ? 0 : mote_ceiling_sum(NUMBER, codec_ssh_agent_number_at(bytes.ptr));
}

bool mote_ssh_agent_read_keys(struct mote_slice message, struct mote_slice *keys)
{
  struct mote_slice count;
  if(!codec_ssh_agent_take_head(&message, IDENTITIES_ANSWER) ||
     !codec_ssh_agent_take_bytes(&message, NUMBER, &count))
    return false;
  *keys = message; /* its end says as well how many there are */
  return true;
}

bool mote_ssh_agent_next_key(struct mote_slice *keys, struct mote_slice *key)
{
  struct mote_slice comment;
  return take_string(keys, key) && take_string(keys, &comment);
}

bool mote_ssh_agent_read_signature(struct mote_slice message, struct mote_slice data,
                                   struct mote_slice *signature)
{
  struct mote_slice all, name, wanted;
  return codec_ssh_agent_take_head(&message, SIGN_RESPONSE) && take_string(&message, &all) &&
    take_string(&all, &name) &&
         find_algorithm(data, &wanted) && mote_slice_same(name, wanted) && take_string(&all, signature);
}
