/* protocol/mail/imap_fetch.c: messages that are fetched and appended, and literals in other responses
 * (protocol/mail/imap.h). */
#include <string.h>

#include "base/out.h"
#include "codec/mail/imap.h"
#include "protocol/body.h"
#include "protocol/mail/imap.h"

static CURLcode imap_fetch_drop(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  (void)state;
  (void)bytes;
  cut->len = 0;
  cut->used = len;
  return CURLE_OK;
}

/* Receives a literal, after which the rest of its line comes. */
CURLcode mote_imap_receive(struct mote_transfer *t, struct mote_talk *talk)
{
  static const struct mote_body_filter dropping = {.cut = imap_fetch_drop, .state = NULL};
  struct mote_imap *i = (struct mote_imap *)talk;
  bool drops = i->drops || t->run->request.method == MOTE_METHOD_HEAD;
  curl_off_t left = i->left;
  CURLcode rc = mote_body_receive(t, t->run->channel.conn, &left, drops ? &dropping : NULL, talk->now);
  i->left = left;
  if(rc)
    return rc;
  i->inside = true;
  return mote_talk_await_at(talk, MOTE_IMAP_COMMAND);
}

/* ---- FETCH ---- */

CURLcode mote_imap_send_fetch(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_imap_url u;
  struct mote_out out;
  (void)mote_imap_url(t, &u);
  mote_talk_begin(t, talk, &out);
  mote_talk_text(&out, u.uid.len ? "UID FETCH " : "FETCH ");
  mote_talk_word(&out, u.uid.len ? u.uid : u.mailindex, true);
  mote_talk_text(&out, " BODY[");
  mote_talk_word(&out, u.section, true);
  mote_talk_text(&out, u.partial.len ? "]<" : "]");
  mote_talk_word(&out, u.partial, true);
  mote_talk_text(&out, u.partial.len ? ">" : "");
  return mote_talk_send(t, talk, &out);
}

static bool has_text(struct mote_slice s, const char *text)
{
  size_t len = strlen(text), at;
  for(at = 0; at + len <= s.len; at++)
    if(mote_equal_nocase_n(s.ptr + at, text, len))
      return true;
  return false;
}

bool mote_imap_lacks_message(const struct mote_reply *r)
{
  return r->literal < 0 && has_text(r->text, "BODY[");
}

/* ---- APPEND ---- */

/* Names of the bits CURLULFLAG_*, from the lowest on. */
static void put_flags(struct mote_out *out, long flags)
{
  const char *name, *before = " (";
  for(name = "\\Answered\0\\Deleted\0\\Draft\0\\Flagged\0\\Seen\0"; *name; name += strlen(name) + 1) {
    if(flags & 1) {
      mote_talk_text(out, before);
      mote_talk_text(out, name);
      before = " ";
    }
    flags >>= 1;
  }
  mote_talk_text(out, before[1] ? " {" : ") {");
}

CURLcode mote_imap_send_append(struct mote_transfer *t, struct mote_talk *talk)
{
  curl_off_t size = t->run->request.size_up;
  struct mote_imap_url u;
  struct mote_out out;
  (void)mote_imap_url(t, &u);
  if(size < 0) {
    talk->at_rest = true;
    return mote_talk_failed(t, CURLE_UPLOAD_FAILED, "The size of a message must be known to append it");
  }
  mote_talk_begin(t, talk, &out);
  mote_talk_text(&out, "APPEND ");
  mote_imap_string(&out, u.mailbox, true, false);
  put_flags(&out, mote_opt_long(&t->options, CURLOPT_UPLOAD_FLAGS));
  mote_out_dec(&out, (uint64_t)size);
  mote_talk_text(&out, "}");
  return mote_talk_send(t, talk, &out);
}

/* The command ends after the message. */
CURLcode mote_imap_end_append(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_out out;
  mote_talk_begin_plain(t, &out);
  return mote_talk_send(t, talk, &out);
}

CURLcode mote_imap_take_append(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  if(r->says == MOTE_MAIL_GO_ON)
    return CURLE_OK;
  return mote_mail_take_last(t, talk, r, talk->stage == MOTE_IMAP_UPLOADED && r->says == MOTE_MAIL_OK,
                             CURLE_UPLOAD_FAILED);
}
