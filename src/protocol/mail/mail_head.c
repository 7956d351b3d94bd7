/* protocol/mail/mail_head.c: the reader that gives the head of a mail made of parts (CURLOPT_MIMEPOST),
 * above the one that gives the parts: their type, Mime-Version, and the application's lines
 * (CURLOPT_HTTPHEADER). */
#include <string.h>

#include "protocol/mail/mail.h"
#include "transfer/upload/mime.h"
#include "transfer/upload/source.h"

struct head {
  struct mote_reader reader;
  size_t at;  /* bytes given */
  size_t len; /* bytes of the head */
};

/* Where a stretch of the head goes. */
struct writer {
  char *room;   /* NULL: it is only measured */
  size_t from;  /* bytes of the head before the stretch */
  size_t most;  /* bytes that fit */
  size_t len;   /* bytes written */
  size_t total; /* bytes of the head so far */
};

static void mail_head_put(struct writer *w, const char *text, size_t len)
{
  size_t skip = w->from > w->total ? w->from - w->total : 0, n;
  w->total += len;
  if(!w->room || skip >= len)
    return;
  n = len - skip < w->most - w->len ? len - skip : w->most - w->len;
  memcpy(w->room + w->len, text + skip, n);
  w->len += n;
}

static void mail_head_put_text(struct writer *w, const char *text)
{
  mail_head_put(w, text, strlen(text));
}

/* A line ends where it is broken, so that no other follows in it. */
static void mail_head_put_line(struct writer *w, const char *line)
{
  mail_head_put(w, line, strcspn(line, "\r\n"));
  mail_head_put_text(w, "\r\n");
}

static void mail_write_head(const struct mote_transfer *t, struct writer *w)
{
  const struct curl_slist *lines = mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER), *l;
  const struct curl_mime *form = mote_mime_sent(t);
  const char *type = mote_mime_field(lines, "Content-Type");
  mail_head_put_text(w, "Content-Type: ");
  mail_head_put(w, type ? type : "multipart/mixed", type ? strcspn(type, "\r\n") : strlen("multipart/mixed"));
  mail_head_put_text(w, "; boundary=");
  mail_head_put_line(w, form ? form->boundary : "");
  if(!mote_mime_field(lines, "Mime-Version"))
    mail_head_put_line(w, "Mime-Version: 1.0");
  for(l = lines; l; l = l->next)
    if(!mote_equal_nocase_n(l->data, "Content-Type:", strlen("Content-Type:")))
      mail_head_put_line(w, l->data);
  mail_head_put_text(w, "\r\n");
}

static CURLcode head_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  struct head *h = (struct head *)r;
  struct writer w = {.room = p->room, .from = h->at, .most = p->most};
  if(h->at == h->len)
    return mote_reader_read(t, r->below, p);
  mail_write_head(t, &w);
  h->at += w.len;
  p->len = w.len;
  return CURLE_OK;
}

static CURLcode head_rewind(struct mote_transfer *t, struct mote_reader *r, bool again)
{
  (void)t;
  (void)again;
  ((struct head *)r)->at = 0;
  return CURLE_OK;
}

static curl_off_t head_size(const struct mote_reader *r)
{
  curl_off_t below = mote_reader_size(r->below);
  return below < 0 ? -1 : below + (curl_off_t)((const struct head *)r)->len;
}

static const struct mote_reader_row head_row = {
  .name = "mail head",
  .bytes = sizeof(struct head),
  .at_hand = true,
  .read = head_read,
  .rewind = head_rewind,
  .size = head_size,
};

CURLcode mote_mail_open_parts(struct mote_transfer *t)
{
  CURLcode rc = mote_mime_open(t, true);
  struct writer w = {.room = NULL};
  struct head *h;
  if(rc)
    return rc;
  h = (struct head *)mote_source_push(t, &head_row);
  if(!h)
    return CURLE_OUT_OF_MEMORY;
  mail_write_head(t, &w);
  h->len = w.total;
  mote_request_announce(&t->run->request, mote_source_size(t));
  return CURLE_OK;
}
