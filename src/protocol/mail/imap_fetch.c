/* protocol/mail/imap_fetch.c: messages that are fetched and appended, and literals in other responses
 * (protocol/mail/imap.h). */
#include <string.h>

#include "protocol/body.h"
#include "protocol/mail/imap.h"
#include "protocol/mail/mail.h"

static CURLcode imap_fetch_drop(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  (void)state;
  (void)bytes;
  cut->len = 0;
  cut->used = len;
  return CURLE_OK;
}

/* Receives a literal, after which the rest of its line comes. */
static CURLcode imap_fetch_receive(struct mote_transfer *t, struct mote_imap *i, mote_time now)
{
  static const struct mote_body_filter dropping = {.cut = imap_fetch_drop, .state = NULL};
  bool drops = i->drops || t->run->request.method == MOTE_METHOD_HEAD;
  bool message = i->mail.pp.stage == MOTE_IMAP_MESSAGE;
  curl_off_t left = i->left;
  CURLcode rc = mote_body_receive(t, t->run->channel.conn, &left, drops ? &dropping : NULL, now);
  i->left = left;
  if(rc)
    return rc;
  i->inside = true;
  return mote_pp_expect(&i->mail.pp, message ? MOTE_IMAP_FETCH : MOTE_IMAP_COMMAND);
}

/* ---- FETCH ---- */

static CURLcode send_fetch(struct mote_transfer *t, struct mote_imap *i)
{
  struct mote_imap_url u;
  (void)mote_imap_url(t, &u);
  i->fetched = false;
  return mote_mail_command(t, u.partial.len ? "%sFETCH %w BODY[%w]<%w>" : "%sFETCH %w BODY[%w]",
                           u.uid.len ? "UID " : "", u.uid.len ? &u.uid : &u.mailindex, true, &u.section, true,
                           &u.partial, true);
}

static bool has_text(struct mote_slice s, const char *text)
{
  size_t len = strlen(text), at;
  for(at = 0; at + len <= s.len; at++)
    if(mote_equal_nocase_n(s.ptr + at, text, len))
      return true;
  return false;
}

static CURLcode imap_fetch_weird(struct mote_transfer *t)
{
  mote_fail(&t->report, "The server's FETCH response is not understood");
  return CURLE_WEIRD_SERVER_REPLY;
}

/* The first literal of a FETCH response is the message; what else has one is passed over. */
static CURLcode take_fetch(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l)
{
  bool fetch = l->kind == MOTE_IMAP_UNTAGGED && mote_slice_is(l->word, "FETCH");
  bool message = fetch && !i->inside && !i->fetched, ok;
  if(l->literal == MOTE_IMAP_BAD_LITERAL || (message && l->literal < 0 && has_text(l->rest, "BODY[")))
    return imap_fetch_weird(t);
  if(l->literal >= 0) {
    i->left = l->literal;
    i->drops = !message;
    if(message)
      t->run->response.size_down = l->literal;
    i->fetched = i->fetched || message;
    return MOTE_PP_TO(MOTE_IMAP_MESSAGE);
  }
  i->inside = false;
  if(l->kind != MOTE_IMAP_TAGGED)
    return CURLE_AGAIN;
  ok = i->fetched && l->status == MOTE_IMAP_OK;
  return mote_mail_take_last(t, &i->mail, ok, CURLE_REMOTE_FILE_NOT_FOUND, l->rest);
}

/* ---- APPEND ---- */

/* Names of the bits CURLULFLAG_*, from the lowest on. */
static char *put_flags(char *at, long flags)
{
  const char *name;
  char before = '(';
  for(name = "\\Answered\0\\Deleted\0\\Draft\0\\Flagged\0\\Seen\0"; *name; name += strlen(name) + 1) {
    if(flags & 1) {
      *at++ = before;
      at = mote_mail_text(at, name);
      before = ' ';
    }
    flags >>= 1;
  }
  return before == ' ' ? mote_mail_text(at, ") ") : at;
}

static CURLcode send_append(struct mote_transfer *t, struct mote_imap *i)
{
  curl_off_t size = t->run->request.size_up;
  struct mote_imap_url u;
  char flags[64];
  (void)mote_imap_url(t, &u);
  if(size < 0) {
    mote_fail(&t->report, "The size of a message must be known to append it");
    i->mail.pp.at_rest = true;
    return CURLE_UPLOAD_FAILED;
  }
  *put_flags(flags, mote_opt_long(&t->options, CURLOPT_UPLOAD_FLAGS)) = 0;
  return mote_mail_command(t, "APPEND %q %s{%d}", &u.mailbox, true, flags, size);
}

static CURLcode imap_fetch_upload(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_mail_send(t, now);
  return rc ? rc : MOTE_PP_TO(MOTE_IMAP_UPLOADED);
}

static CURLcode take_append(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l)
{
  bool uploaded = i->mail.pp.stage == MOTE_IMAP_UPLOADED, ok = uploaded && l->status == MOTE_IMAP_OK;
  if(l->kind == MOTE_IMAP_GO_ON && !uploaded)
    return MOTE_PP_TO(MOTE_IMAP_UPLOAD);
  if(l->kind != MOTE_IMAP_TAGGED)
    return CURLE_AGAIN;
  return mote_mail_take_last(t, &i->mail, ok, CURLE_UPLOAD_FAILED, l->rest);
}

/* ---- the stages ---- */

/* The command of APPEND ends after the message. */
CURLcode mote_imap_fetch_ask(struct mote_transfer *t, struct mote_imap *i, mote_time now)
{
  switch(i->mail.pp.stage) {
  case MOTE_IMAP_FETCH:
    return send_fetch(t, i);
  case MOTE_IMAP_APPEND:
    return send_append(t, i);
  case MOTE_IMAP_UPLOAD:
    return imap_fetch_upload(t, now);
  case MOTE_IMAP_UPLOADED:
    return mote_pp_say(t, &i->mail.pp, "");
  default:
    return imap_fetch_receive(t, i, now);
  }
}

CURLcode mote_imap_fetch_line(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l)
{
  return i->mail.pp.stage == MOTE_IMAP_FETCH ? take_fetch(t, i, l) : take_append(t, i, l);
}
