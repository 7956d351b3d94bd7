/* transfer/upload/source_crlf.c: the reader that makes LF of an upload CRLF (CURLOPT_CRLF(3)), unless CR is
 * there already. How many bytes that will be is unknown. */
#include "codec/mail/dots.h"
#include "transfer/upload/source.h"

struct crlf {
  struct mote_reader reader;
  bool cr;    /* the last byte from below was CR */
  bool owed;  /* an LF is still to be given, for which there was no room */
  bool ended; /* nothing more comes from below */
  uint8_t failed; /* CURLcode: what came from below with an LF that was owed, and is given next */
};

/* Appends bytes, for which there is room, but perhaps for the LF of a single one. */
static void source_crlf_put(struct crlf *c, struct mote_piece *p, const char *bytes, size_t len)
{
  const struct mote_slice text = {bytes, len};
  size_t used;
  p->len += mote_dots_crlf(&c->cr, p->room + p->len, p->most - p->len, text, &used);
  if(used == len)
    return;
  p->room[p->len++] = '\r';
  c->owed = true;
}

/* What comes from below is read into the second half of the room, so that twice as much fits in front of
 * it. */
static CURLcode crlf_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  struct crlf *c = (struct crlf *)r;
  struct mote_piece below;
  char one;
  CURLcode rc = (CURLcode)c->failed;
  if(rc)
    return rc;
  if(c->owed && p->most) {
    c->owed = false;
    p->room[p->len++] = '\n';
  }
  below.most = (p->most - p->len) / 2;
  below.room = p->room + p->most - below.most;
  if(!below.most && p->len < p->most) {
    below.most = 1;
    below.room = &one;
  }
  if(below.most && !c->ended) {
    rc = mote_reader_read(t, r->below, &below);
    if(rc && p->len) { /* the LF goes first */
      c->failed = rc == CURLE_AGAIN ? CURLE_OK : (uint8_t)rc;
      return CURLE_OK;
    }
    if(rc)
      return rc;
    c->ended = below.end;
    source_crlf_put(c, p, below.bytes, below.len);
  }
  p->end = c->ended && !c->owed;
  return CURLE_OK;
}

static CURLcode crlf_rewind(struct mote_transfer *t, struct mote_reader *r, bool again)
{
  struct crlf *c = (struct crlf *)r;
  (void)t;
  (void)again;
  c->cr = c->owed = c->ended = false;
  c->failed = CURLE_OK;
  return CURLE_OK;
}

static void crlf_go_on(struct mote_reader *r)
{
  ((struct crlf *)r)->ended = false;
}

static curl_off_t crlf_size(const struct mote_reader *r)
{
  const struct mote_reader *b = r->below;
  while(!b->row->size)
    b = b->below;
  return b->row->size(b) ? -1 : 0;
}

const struct mote_reader_row mote_source_crlf = {
  .name = "crlf",
  .bytes = sizeof(struct crlf),
  .at_hand = true,
  .read = crlf_read,
  .rewind = crlf_rewind,
  .go_on = crlf_go_on,
  .size = crlf_size,
};
