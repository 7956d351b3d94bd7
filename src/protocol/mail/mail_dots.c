/* protocol/mail/mail_dots.c: the reader that puts a dot before each line of a mail that begins with one,
 * and the end after the mail (codec/mail/dots.h). Without such a line the bytes go on where they lie. */
#include <string.h>

#include "codec/mail/dots.h"
#include "protocol/mail/mail.h"
#include "transfer/upload/source.h"

struct dots {
  struct mote_reader reader;
  uint8_t at; /* where the bytes so far have left the line */
  bool over;  /* the end was given */
};

/* There is room for it. */
static void put_end(struct dots *d, struct mote_piece *p)
{
  const char *end = mote_dots_end(d->at);
  p->back = strlen(end);
  memcpy(p->room + p->len, end, p->back);
  p->len += p->back;
  d->over = true;
}

/* The bytes are read to a place from where there is room for dots in front of them, and for the end. They are
 * moved only if a dot or the end has to be put in. */
static CURLcode dots_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  struct dots *d = (struct dots *)r;
  size_t gap = p->most / 4 + 2, used;
  struct mote_piece below = {.room = p->room + gap, .most = p->most - gap - MOTE_DOTS_END_MOST};
  uint8_t at = d->at;
  CURLcode rc;
  p->end = d->over;
  if(d->over)
    return CURLE_OK;
  rc = mote_reader_read(t, r->below, &below);
  if(rc)
    return rc;
  p->end = below.end;
  if(!below.end && mote_dots_plain(&at, below.bytes, below.len) == below.len) {
    d->at = at;
    p->bytes = below.bytes;
    p->len = below.len;
    return CURLE_OK;
  }
  p->len = mote_dots_put(&d->at, p->room, p->most - MOTE_DOTS_END_MOST,
                         (struct mote_slice){below.bytes, below.len}, &used);
  if(below.end)
    put_end(d, p);
  return CURLE_OK;
}

static CURLcode dots_rewind(struct mote_transfer *t, struct mote_reader *r, bool again)
{
  struct dots *d = (struct dots *)r;
  (void)t;
  (void)again;
  d->at = MOTE_DOTS_LINE;
  d->over = false;
  return CURLE_OK;
}

const struct mote_reader_row mote_mail_dots = {
  .name = "dots",
  .bytes = sizeof(struct dots),
  .at_hand = true,
  .read = dots_read,
  .rewind = dots_rewind,
  .size = mote_source_no_size,
};
