/* tls/bearssl/bearssl_buffers.c: between the engine's records and the stream below.
 *
 * One read may return several records. What follows the first is kept in the same buffer and moved to the
 * front when the engine asks for it. A record whose header announces more than the buffer holds gets a larger
 * one before the engine sees the header. Unencrypted records (most of the handshake) are read in pieces and
 * need no such room.
 *
 * Relied on, of BearSSL 0.6: ibuf, ibuf_len, obuf, obuf_len may change while the engine is at the beginning
 * of a record (ixa is 0 to 5; the output is "ready"); max_frag_len bounds what is sent, log_max_frag_len is
 * what the hello asks for. */
#include <string.h>

#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "tls/bearssl/bearssl.h"

#define RECORD_HEADER 5
#define MEDIUM (4096 + 325)
#define ASKED (MOTE_BEARSSL_FRAGMENT + 29) /* with header, nonce and tag */
#define LARGE ((MOTE_BEARSSL_SEND < MOTE_BEARSSL_FRAGMENT ? MOTE_BEARSSL_SEND : MOTE_BEARSSL_FRAGMENT) + 88u)

static void use_in(struct mote_bearssl *t, uint8_t *buf, size_t size)
{
  t->cc.eng.ibuf = buf;
  t->cc.eng.ibuf_len = size;
}

/* Sets the registers as the engine does for the next record. */
static void use_out(struct mote_bearssl *t, uint8_t *buf, size_t size)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  size_t begin = RECORD_HEADER;
  size_t end = size - RECORD_HEADER;
  eng->obuf = buf;
  eng->obuf_len = size;
  eng->out.vtable->max_plaintext(&eng->out.vtable, &begin, &end);
  if(end - begin > eng->max_frag_len)
    end = begin + eng->max_frag_len;
  eng->oxa = begin;
  eng->oxb = end;
  eng->oxc = begin;
}

/* The buffer for records is held while a larger one is filled from it. */
void mote_bearssl_add_buffers(struct mote_ceiling *c)
{
  mote_ceiling_add(c, 1, MOTE_BEARSSL_RECORD_MAX);
  mote_ceiling_add(c, 1, MEDIUM > MOTE_BEARSSL_FIRST ? MEDIUM : MOTE_BEARSSL_FIRST);
  mote_ceiling_add(c, 1, LARGE);
}

static uint8_t *bearssl_buffers_take(struct mote_bearssl *t, size_t size)
{
  return mote_mem_alloc(t->head.stream.env->account, MOTE_PART_TLS, size);
}

static void bearssl_buffers_give_back(struct mote_bearssl *t, uint8_t *p, size_t size)
{
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, p, size);
}

CURLcode mote_bearssl_first_buffers(struct mote_bearssl *t)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  unsigned log = 9;
  t->in_size = MOTE_BEARSSL_FIRST;
  t->in = bearssl_buffers_take(t, t->in_size);
  if(!t->in)
    return CURLE_OUT_OF_MEMORY;
  /* The engine would refuse smaller buffers, and ask for records of the smaller length. */
  br_ssl_engine_set_buffers_bidi(eng, t->in, MOTE_BEARSSL_RECORD_MAX, t->small, MOTE_BEARSSL_RECORD_MAX);
  use_in(t, t->in, t->in_size);
  use_out(t, t->small, sizeof t->small);
  while(log < MOTE_BEARSSL_LOG && (1u << log) < MOTE_BEARSSL_FRAGMENT)
    log++;
  eng->log_max_frag_len = (unsigned char)log;
  eng->max_frag_len = MOTE_BEARSSL_FRAGMENT;
  return CURLE_OK;
}

CURLcode mote_bearssl_flush(struct mote_bearssl *t)
{
  unsigned char *p;
  size_t len;
  size_t n;
  while((p = br_ssl_engine_sendrec_buf(&t->cc.eng, &len)) != NULL) {
    CURLcode rc = mote_tls_send_below(&t->head, p, len, &n);
    if(rc)
      return rc;
    br_ssl_engine_sendrec_ack(&t->cc.eng, n);
  }
  return CURLE_OK;
}

/* Makes room for a record of `size` bytes, of which `have` have been received. */
static CURLcode bearssl_buffers_grow(struct mote_bearssl *t, size_t size, size_t have)
{
  uint8_t *p;
  if(size <= t->cc.eng.ibuf_len)
    return CURLE_OK;
  if(size > MOTE_BEARSSL_RECORD_MAX)
    return CURLE_OK; /* the engine refuses it */
  if(size <= MOTE_BEARSSL_FIRST)
    size = MOTE_BEARSSL_FIRST;
  else if(ASKED < MEDIUM && size <= ASKED)
    size = ASKED;
  else
    size = size <= MEDIUM ? MEDIUM : MOTE_BEARSSL_RECORD_MAX;
  p = bearssl_buffers_take(t, size);
  if(!p)
    return CURLE_OUT_OF_MEMORY;
  memcpy(p, t->cc.eng.ibuf, have);
  bearssl_buffers_give_back(t, t->in, t->in_size);
  t->in = p;
  t->in_size = (uint32_t)size;
  use_in(t, p, size);
  return CURLE_OK;
}

/* ---- a handshake in slices ----
 *
 * A client computes with keys when a certificate or a message of the handshake is complete. A server may put
 * all of them into one record, and the engine works a record off in one call. What is not encrypted may as
 * well come in smaller records (RFC 5246 section 6.2.1). So with MOTE_HANDSHAKE_MS the engine gets other
 * headers, for pieces that end where a message does and are shorter than a certificate. There is at most one
 * computation in each. */

#if MOTE_HANDSHAKE_MS

#define HANDSHAKE 22     /* type of a record */
#define MESSAGE_HEADER 4 /* bytes: type and length */
#define PIECE 64u        /* bytes; no certificate is as short */
#define RECORD_MOST 16384

/* Makes the header of a record that of the next piece. */
static void cut_piece(struct mote_bearssl *t, uint8_t *p)
{
  struct mote_bearssl_cut *c = &t->cut;
  uint32_t n = c->header < MESSAGE_HEADER ? (uint32_t)(MESSAGE_HEADER - c->header) : c->message;
  if(n > PIECE)
    n = PIECE;
  if(n > c->record)
    n = c->record;
  c->record -= n;
  p[3] = 0;
  p[4] = (uint8_t)n;
}

/* Gives the engine the header of a piece that is not the first of its record. False: it takes no header now.
 * All of the header before but the length is still in the buffer. */
static bool next_piece(struct mote_bearssl *t, uint8_t *to)
{
  if(!t->cut.record || to != t->cc.eng.ibuf)
    return false;
  cut_piece(t, to);
  br_ssl_engine_recvrec_ack(&t->cc.eng, RECORD_HEADER);
  return true;
}

static void follow_messages(struct mote_bearssl_cut *c, const uint8_t *p, size_t len)
{
  if(c->header == MESSAGE_HEADER)
    c->message -= (uint32_t)len;
  else
    for(; len; len--, p++)
      c->message = c->header++ ? c->message << 8 | *p : 0;
  if(c->header == MESSAGE_HEADER && !c->message)
    c->header = 0;
}

/* The engine is about to get `len` bytes, which lie at offset `at` of its buffer. */
static void bearssl_buffers_cut(struct mote_bearssl *t, size_t at, size_t len)
{
  uint8_t *p = t->cc.eng.ibuf;
  uint32_t size = (uint32_t)p[3] << 8 | p[4];
  if(t->cc.eng.incrypt || p[0] != HANDSHAKE)
    return;
  if(at >= RECORD_HEADER)
    follow_messages(&t->cut, p + at, len);
  else if(at + len == RECORD_HEADER && size <= RECORD_MOST) {
    t->cut.record = size;
    cut_piece(t, p);
  }
}

#else
#define next_piece(t, to) ((void)(to), false)
#define bearssl_buffers_cut(t, at, len) ((void)(at), (void)(len))
#endif

/* Hands the engine as many as it takes at once of `len` bytes, which lie at offset `at` of its buffer. */
static CURLcode bearssl_buffers_hand_on(struct mote_bearssl *t, size_t at, size_t wanted, size_t len,
                                        size_t *taken)
{
  const uint8_t *p = t->cc.eng.ibuf;
  *taken = len < wanted ? len : wanted;
  if(at < RECORD_HEADER && at + *taken == RECORD_HEADER && t->cc.eng.incrypt) {
    size_t record = RECORD_HEADER + ((size_t)p[3] << 8 | p[4]);
    CURLcode rc = bearssl_buffers_grow(t, record, at + len);
    if(rc)
      return rc;
  }
  bearssl_buffers_cut(t, at, *taken);
  br_ssl_engine_recvrec_ack(&t->cc.eng, *taken);
  return CURLE_OK;
}

/* Reads more from below, to be put after what there is. */
static CURLcode read_below(struct mote_bearssl *t, uint8_t *to, size_t *len)
{
  size_t room = t->cc.eng.ibuf_len - (size_t)(to - t->cc.eng.ibuf);
  CURLcode rc = mote_tls_receive_below(&t->head, to, room, len);
  return !rc && !*len ? CURLE_RECV_ERROR : rc;
}

CURLcode mote_bearssl_feed(struct mote_bearssl *t)
{
  size_t wanted;
  size_t taken;
  size_t len = t->ahead_len;
  size_t at;
  CURLcode rc;
  uint8_t *to = br_ssl_engine_recvrec_buf(&t->cc.eng, &wanted);
  if(!to || next_piece(t, to))
    return CURLE_OK;
  if(len)
    memmove(to, t->cc.eng.ibuf + t->ahead_at, len);
  else {
    rc = read_below(t, to, &len);
    if(rc)
      return rc;
  }
  at = (size_t)(to - t->cc.eng.ibuf);
  t->ahead_at = (uint32_t)at;
  t->ahead_len = (uint32_t)len; /* in case there is no memory for more */
  rc = bearssl_buffers_hand_on(t, at, wanted, len, &taken);
  if(rc)
    return rc;
  t->ahead_at = (uint32_t)(at + taken);
  t->ahead_len = (uint32_t)(len - taken);
  return CURLE_OK;
}

void mote_bearssl_send_large(struct mote_bearssl *t)
{
  const br_ssl_engine_context *eng = &t->cc.eng;
  if(t->out || eng->oxc != eng->oxa || LARGE <= sizeof t->small)
    return;
  t->out = bearssl_buffers_take(t, LARGE);
  if(t->out)
    use_out(t, t->out, LARGE);
}

void mote_bearssl_drop(struct mote_bearssl *t)
{
  br_ssl_engine_context *eng = &t->cc.eng;
  if(t->out && eng->oxa == eng->oxc && eng->oxa != eng->oxb) {
    use_out(t, t->small, sizeof t->small);
    bearssl_buffers_give_back(t, t->out, LARGE);
    t->out = NULL;
  }
  if(t->in && t->head.done && eng->ixa < RECORD_HEADER && eng->ixa == eng->ixb && !t->ahead_len) {
    memcpy(t->header, t->in, eng->ixa);
    use_in(t, t->header, RECORD_HEADER);
    bearssl_buffers_give_back(t, t->in, t->in_size);
    t->in = NULL;
    t->in_size = 0;
  }
}

void mote_bearssl_free_buffers(struct mote_bearssl *t)
{
  if(t->out)
    bearssl_buffers_give_back(t, t->out, LARGE);
  if(t->in)
    bearssl_buffers_give_back(t, t->in, t->in_size);
  t->out = t->in = NULL;
}
