/* codec/coding/decode.c: chains of the decoders that the build's table has. */
#include "codec/coding/decode.h"

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"
#include "codec/coding/decode_lib.h"
#include "codec/limits.h"

#define ALIGN alignof(max_align_t)

struct stage {
  const struct mote_decoder *decoder;
  void *state;      /* in the chain's block */
  char *buffer;     /* what it made for the next stage; NULL for the last one: that fills the caller's room */
  uint32_t from;    /* bytes of buffer the next stage has used; <= len */
  uint32_t len;     /* bytes in buffer; <= MOTE_DECODE_STAGE_BUFFER */
  bool fed;         /* it has got input */
  bool done;        /* its coded data is complete */
  bool more;        /* it filled all the room last time: there may be more without input */
};

struct mote_decode_chain {
  struct mote_account *account; /* pays for this block; outlives it */
  size_t size;                  /* bytes of this block */
  unsigned count;               /* stages, 1 to MOTE_MAX_CODINGS; the first one gets the input */
  struct stage stages[];
};

/* Size of a block, in front of it. */
union block {
  size_t size;
  max_align_t align;
};

void *mote_decode_alloc(void *opaque, size_t size)
{
  union block *b;
  if(size > SIZE_MAX - sizeof *b)
    return NULL;
  size += sizeof *b;
  b = mote_mem_alloc(opaque, MOTE_PART_CODEC, size);
  if(!b)
    return NULL;
  b->size = size;
  return b + 1;
}

void mote_decode_free(void *opaque, void *p)
{
  union block *b = p;
  if(!b)
    return;
  b--;
  mote_mem_free(opaque, MOTE_PART_CODEC, b, b->size);
}

const struct mote_decoder *mote_decoder_find(enum mote_coding coding)
{
  size_t i;
  for(i = 0; mote_decoders[i]; i++)
    if(mote_decoders[i]->coding == coding)
      break;
  return mote_decoders[i];
}

const struct mote_decoder *mote_decoder_at(unsigned i)
{
  unsigned n = 0;
  while(n < i && mote_decoders[n])
    n++;
  return mote_decoders[n];
}

/* Append text at out[*at], as far as it fits. */
static void decode_append(char *out, size_t cap, size_t *at, const char *text)
{
  while(*text && *at + 1 < cap)
    out[(*at)++] = *text++;
}

size_t mote_decode_accept(char *out, size_t cap)
{
  size_t at = 0;
  size_t i;
  if(!cap)
    return 0;
  if(!mote_decoders[0])
    decode_append(out, cap, &at, "identity");
  for(i = 0; mote_decoders[i]; i++) {
    decode_append(out, cap, &at, i ? ", " : "");
    decode_append(out, cap, &at, mote_decoders[i]->name);
  }
  out[at] = 0;
  return at;
}

static size_t aligned(size_t n)
{
  return (n + ALIGN - 1) / ALIGN * ALIGN;
}

static void end_stages(struct mote_decode_chain *c, unsigned count)
{
  while(count--)
    c->stages[count].decoder->end(c->stages[count].state);
}

static CURLcode init_stages(struct mote_decode_chain *c)
{
  unsigned i;
  for(i = 0; i < c->count; i++) {
    struct stage *s = &c->stages[i];
    CURLcode rc = s->decoder->init(s->state, c->account);
    if(rc) {
      end_stages(c, i);
      return rc;
    }
  }
  return CURLE_OK;
}

CURLcode mote_decode_open(struct mote_decode_chain **out, const uint8_t *codings, unsigned count,
                          struct mote_account *account)
{
  struct mote_decode_chain *c;
  size_t size = aligned(sizeof *c + count * sizeof c->stages[0]);
  size_t at = size;
  CURLcode rc;
  unsigned i;
  *out = NULL;
  if(!count || count > MOTE_MAX_CODINGS)
    return CURLE_BAD_CONTENT_ENCODING;
  for(i = 0; i < count; i++) {
    const struct mote_decoder *d = mote_decoder_find(codings[i]);
    if(!d)
      return CURLE_BAD_CONTENT_ENCODING;
    size += aligned(d->state_size);
  }
  size += (count - 1) * MOTE_DECODE_STAGE_BUFFER;
  c = mote_mem_zalloc(account, MOTE_PART_CODEC, size);
  if(!c)
    return CURLE_OUT_OF_MEMORY;
  c->account = account;
  c->size = size;
  c->count = count;
  for(i = 0; i < count; i++) {
    struct stage *s = &c->stages[i];
    s->decoder = mote_decoder_find(codings[count - 1 - i]);
    s->state = (char *)c + at;
    at += aligned(s->decoder->state_size);
  }
  for(i = 0; i + 1 < count; i++) {
    c->stages[i].buffer = (char *)c + at;
    at += MOTE_DECODE_STAGE_BUFFER;
  }
  rc = init_stages(c);
  if(rc) {
    mote_mem_free(account, MOTE_PART_CODEC, c, size);
    return rc;
  }
  *out = c;
  return CURLE_OK;
}

static void decode_spend(struct mote_decode_io *io, size_t in, size_t out)
{
  size_t cost = in > MOTE_DECODE_TURN / MOTE_DECODE_READ_COST ? MOTE_DECODE_TURN
                                                              : in * MOTE_DECODE_READ_COST + out;
  io->turn = cost < io->turn ? io->turn - (uint32_t)cost : 0;
}

/* One call of one decoder. *moved is set when it used or made something. */
static CURLcode decode_run(struct stage *s, struct mote_decode_io *io, bool *moved)
{
  size_t in_len = io->in_len;
  size_t out_len = io->out_len;
  CURLcode rc;
  if(!out_len || (!in_len && (s->done || !s->more)))
    return CURLE_OK;
  s->fed |= in_len > 0;
  rc = s->decoder->feed(s->state, io, &s->done);
  decode_spend(io, in_len - io->in_len, out_len - io->out_len);
  s->more = !io->out_len;
  if(in_len != io->in_len || out_len != io->out_len)
    *moved = true;
  else if(!rc && in_len)
    rc = CURLE_BAD_CONTENT_ENCODING; /* bytes after the end */
  return rc;
}

/* Runs stage i between the buffer before it and the buffer after it; io is the chain's own. */
static CURLcode run_stage(struct mote_decode_chain *c, unsigned i, struct mote_decode_io *io, bool *moved)
{
  struct stage *s = &c->stages[i];
  struct stage *before = i ? s - 1 : NULL;
  struct mote_decode_io own = *io;
  CURLcode rc;
  if(before) {
    own.in = before->buffer + before->from;
    own.in_len = before->len - before->from;
  }
  if(s->buffer) {
    own.out = s->buffer;
    own.out_len = s->from == s->len ? MOTE_DECODE_STAGE_BUFFER : 0;
  }
  rc = decode_run(s, &own, moved);
  io->turn = own.turn;
  if(before)
    before->from = before->len - (uint32_t)own.in_len;
  else {
    io->in = own.in;
    io->in_len = own.in_len;
  }
  if(!s->buffer) {
    io->out = own.out;
    io->out_len = own.out_len;
  }
  else if(s->from == s->len) {
    s->from = 0;
    s->len = (uint32_t)(own.out - s->buffer);
  }
  return rc;
}

CURLcode mote_decode_pull(struct mote_decode_chain *c, struct mote_decode_io *io)
{
  bool moved = true;
  if(!io->in)
    io->in = ""; /* the vendor libraries add to it */
  while(moved && io->out_len && io->turn) {
    unsigned i;
    moved = false;
    for(i = 0; i < c->count; i++) {
      CURLcode rc = run_stage(c, i, io, &moved);
      if(rc)
        return rc;
    }
  }
  return CURLE_OK;
}

CURLcode mote_decode_push(struct mote_decode_chain *c, struct mote_slice in, size_t *used, uint32_t *turn,
                          const struct mote_decode_out *out)
{
  struct mote_decode_io io = { .in = in.ptr, .in_len = in.len, .turn = *turn };
  CURLcode rc;
  do {
    CURLcode written = CURLE_OK;
    io.out = out->room;
    io.out_len = out->cap;
    rc = mote_decode_pull(c, &io);
    *used = in.len - io.in_len;
    *turn = io.turn;
    if(io.out != out->room)
      written = out->write(out->user, out->room, (size_t)(io.out - out->room));
    if(written)
      return rc && written == CURLE_AGAIN ? rc : written;
    if(!rc && !io.turn)
      return CURLE_AGAIN;
  } while(!rc && !io.out_len);
  return rc;
}

CURLcode mote_decode_finish(const struct mote_decode_chain *c)
{
  unsigned i;
  for(i = 0; i < c->count; i++)
    if(c->stages[i].fed && !c->stages[i].done)
      return CURLE_BAD_CONTENT_ENCODING;
  return CURLE_OK;
}

void mote_decode_close(struct mote_decode_chain *c)
{
  if(!c)
    return;
  end_stages(c, c->count);
  mote_mem_free(c->account, MOTE_PART_CODEC, c, c->size);
}
