/* codec/ldap/ber.c: writes and reads elements of BER (codec/ldap/ber.h). */
#include "base/buf.h"
#include "codec/ldap/ber.h"

#define FOUR_BYTES 0x84 /* as first byte of a length: it is in the next four */

/* ---- writing ---- */

static void ber_add(struct mote_ber_writer *w, const void *bytes, size_t len)
{
  if(!w->rc)
    w->rc = mote_buf_add(w->out, bytes, len);
}

static void add_head(struct mote_ber_writer *w, uint8_t tag, size_t len)
{
  uint8_t head[MOTE_BER_HEAD_MOST] = {tag, FOUR_BYTES, (uint8_t)(len >> 24), (uint8_t)(len >> 16),
                                       (uint8_t)(len >> 8), (uint8_t)len};
  if(len < 0x80)
    head[1] = (uint8_t)len;
  ber_add(w, head, len < 0x80 ? 2 : sizeof head);
}

size_t mote_ber_begin(struct mote_ber_writer *w, uint8_t tag)
{
  static const uint8_t length[] = {FOUR_BYTES, 0, 0, 0, 0};
  ber_add(w, &tag, 1);
  ber_add(w, length, sizeof length);
  return w->out->len;
}

void mote_ber_end(struct mote_ber_writer *w, size_t begun)
{
  size_t len = w->out->len - begun;
  unsigned i;
  if(!w->rc)
    for(i = 0; i < 4; i++)
      w->out->ptr[begun - 1 - i] = (char)(uint8_t)(len >> 8 * i);
}

void mote_ber_put(struct mote_ber_writer *w, uint8_t tag, struct mote_slice bytes)
{
  add_head(w, tag, bytes.len);
  ber_add(w, bytes.ptr, bytes.len);
}

void mote_ber_put_byte(struct mote_ber_writer *w, uint8_t tag, uint8_t value)
{
  add_head(w, tag, 1);
  ber_add(w, &value, 1);
}

/* A positive number has no bit at the top of its first byte (X.690 section 8.3). */
void mote_ber_put_number(struct mote_ber_writer *w, uint32_t n)
{
  uint8_t bytes[5] = {0, (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n};
  size_t skip = 0;
  while(skip < 4 && !bytes[skip] && bytes[skip + 1] < 0x80)
    skip++;
  add_head(w, MOTE_BER_INTEGER, sizeof bytes - skip);
  ber_add(w, bytes + skip, sizeof bytes - skip);
}

/* ---- reading ---- */

/* Reads the head of an element. Returns its bytes. 0: there are too few; MOTE_BER_HEAD_MOST + 1: it is none
 * that LDAP has. */
static size_t ber_read_head(struct mote_slice bytes, uint8_t *tag, size_t *inside)
{
  const uint8_t *p = (const uint8_t *)bytes.ptr;
  size_t count, i;
  if(bytes.len < 2)
    return 0;
  *tag = p[0];
  *inside = p[1];
  if(p[1] < 0x80)
    return 2;
  count = p[1] & 0x7fu;
  if(!count || count > 4)
    return MOTE_BER_HEAD_MOST + 1;
  if(bytes.len < 2 + count)
    return 0;
  for(*inside = 0, i = 0; i < count; i++)
    *inside = *inside << 8 | p[2 + i];
  return 2 + count;
}

size_t mote_ber_len(struct mote_slice bytes)
{
  uint8_t tag;
  size_t inside, head = ber_read_head(bytes, &tag, &inside);
  if(!head)
    return 0;
  return head > MOTE_BER_HEAD_MOST || inside > UINT32_MAX - MOTE_BER_HEAD_MOST ? SIZE_MAX : head + inside;
}

bool mote_ber_take(struct mote_slice *rest, uint8_t *tag, struct mote_slice *inside)
{
  size_t len, head = ber_read_head(*rest, tag, &len);
  if(!head || head > MOTE_BER_HEAD_MOST || len > rest->len - head)
    return false;
  inside->ptr = rest->ptr + head;
  inside->len = len;
  mote_slice_skip(rest, head + len);
  return true;
}

bool mote_ber_take_number(struct mote_slice *rest, uint8_t wanted, uint32_t *n)
{
  struct mote_slice inside;
  uint8_t tag;
  size_t i;
  if(!mote_ber_take(rest, &tag, &inside) || tag != wanted || !inside.len || inside.len > 5 ||
     (inside.len == 5 && inside.ptr[0]) || (uint8_t)inside.ptr[0] > 0x7f)
    return false;
  for(*n = 0, i = 0; i < inside.len; i++)
    *n = *n << 8 | (uint8_t)inside.ptr[i];
  return true;
}
