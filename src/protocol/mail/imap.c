/* protocol/mail/imap.c: what an imap: URL asks for, the selection of its mailbox, and commands whose
 * responses are the body of the transfer: LIST, SEARCH, CURLOPT_CUSTOMREQUEST (protocol/mail/imap.h). */
#include "protocol/mail/imap.h"

#include <string.h>

#include "base/digest/digest.h"
#include "base/digest/sha256.h"
#include "base/out.h"
#include "base/text/format.h"
#include "codec/mail/imap.h"
#include "codec/url/url.h"
#include "http/auth/auth.h"
#include "net/conn_struct.h"
#include "protocol/mail/mail.h"
#include "transfer/protocol.h"

#define LINE_MOST 524288u /* bytes; SEARCH answers with one line, 7 bytes for each message */

/* ---- what is asked for ---- */

static struct mote_slice query_of(const struct mote_transfer *t)
{
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  return mote_url_get(&url, MOTE_URL_QUERY);
}

static void digest_of(struct mote_slice mailbox, uint8_t out[MOTE_IMAP_DIGEST])
{
  uint8_t digest[MOTE_SHA256_SIZE];
  mote_digest_pieces(&mote_sha256_digest, &mailbox, 1, digest);
  memcpy(out, digest, MOTE_IMAP_DIGEST);
}

static uint32_t mail_imap_number_of(struct mote_slice s)
{
  uint64_t n;
  return mote_parse_dec(s, UINT32_MAX, &n) ? (uint32_t)n : 0;
}

/* A server that does not say what UIDVALIDITY is cannot contradict the URL. */
static bool is_valid(const struct mote_imap *i, const struct mote_imap_url *u)
{
  return !u->uidvalidity.len || !i->uidvalidity || mail_imap_number_of(u->uidvalidity) == i->uidvalidity;
}

static bool is_selected(const struct mote_imap *i, const struct mote_imap_url *u)
{
  uint8_t digest[MOTE_IMAP_DIGEST];
  if(!i->selected || !is_valid(i, u))
    return false;
  digest_of(u->mailbox, digest);
  return !memcmp(digest, i->mailbox, sizeof digest);
}

static CURLcode imap_begin(struct mote_transfer *t)
{
  struct mote_imap *i = mote_mail_state(t);
  unsigned stage = MOTE_IMAP_COMMAND;
  struct mote_imap_url u;
  (void)mote_imap_url(t, &u);
  i->inside = i->fetched = false;
  i->asks = MOTE_IMAP_LIST;
  if(mote_mail_custom(t))
    i->asks = MOTE_IMAP_CUSTOM;
  else if(u.mailbox.len && (u.uid.len || u.mailindex.len))
    i->asks = MOTE_IMAP_FETCH;
  else if(u.mailbox.len && query_of(t).len)
    i->asks = MOTE_IMAP_SEARCH;
  if(t->run->body)
    stage = MOTE_IMAP_APPEND;
  else if(u.mailbox.len && i->asks != MOTE_IMAP_LIST && !is_selected(i, &u))
    stage = MOTE_IMAP_SELECT;
  return mote_talk_go(&i->mail.talk, stage);
}

static CURLcode imap_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_mail_prepare(t);
  struct mote_imap_url u;
  if(rc)
    return rc;
  if(!mote_imap_url(t, &u))
    return mote_fail_as(CURLE_URL_MALFORMAT, &t->report,
                        "The URL has a parameter that is unknown or stands twice");
  if(!t->run->body || u.mailbox.len)
    return CURLE_OK;
  return mote_fail_as(CURLE_URL_MALFORMAT, &t->report, "The URL names no mailbox to append to");
}

/* ---- SELECT ---- */

/* Sends a command about a mailbox. */
static CURLcode imap_send_mailbox(struct mote_transfer *t, struct mote_talk *talk, bool list)
{
  struct mote_imap_url u;
  struct mote_out out;
  (void)mote_imap_url(t, &u);
  mote_talk_begin(t, talk, &out);
  mote_talk_text(&out, list ? "LIST " : "SELECT ");
  mote_imap_string(&out, u.mailbox, true, list);
  mote_talk_text(&out, list ? " *" : "");
  return mote_talk_send(t, talk, &out);
}

static CURLcode send_select(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_imap *i = (struct mote_imap *)talk;
  i->selected = false;
  i->uidvalidity = 0;
  return imap_send_mailbox(t, talk, false);
}

static CURLcode take_select(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_imap *i = (struct mote_imap *)talk;
  struct mote_imap_url u;
  struct mote_slice value;
  bool ok = r->says == MOTE_MAIL_OK;
  if(r->kind == MOTE_IMAP_UNTAGGED && ok && mote_imap_code(r->text, "UIDVALIDITY", &value))
    i->uidvalidity = mail_imap_number_of(value);
  if(!r->last)
    return CURLE_AGAIN;
  talk->at_rest = true;
  if(!ok)
    return mote_talk_refused(t, talk, CURLE_LOGIN_DENIED, r);
  (void)mote_imap_url(t, &u);
  digest_of(u.mailbox, i->mailbox);
  i->selected = true;
  return is_valid(i, &u) ? CURLE_OK
                         : mote_talk_failed(t, CURLE_REMOTE_FILE_NOT_FOUND,
                                            "The mailbox has another UIDVALIDITY than the URL says");
}

/* ---- other commands ---- */

/* A command of the application may select another mailbox or close it, so that the next request selects its
 * own again. */
static CURLcode imap_send_command(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_imap *i = (struct mote_imap *)talk;
  const char *custom = mote_mail_custom(t), *word;
  struct mote_out out;
  if(i->asks == MOTE_IMAP_FETCH)
    return mote_imap_send_fetch(t, talk);
  if(i->asks == MOTE_IMAP_SEARCH)
    return mote_talk_say_word(t, talk, "SEARCH", query_of(t), true);
  if(!custom)
    return imap_send_mailbox(t, talk, true);
  for(word = "SELECT\0EXAMINE\0CLOSE\0UNSELECT\0"; *word; word += strlen(word) + 1)
    i->selected = i->selected && !mote_equal_nocase_n(custom, word, strlen(word));
  mote_talk_begin(t, talk, &out);
  mote_talk_word(&out, mote_slice_of(custom), true);
  return mote_talk_send(t, talk, &out);
}

/* Reports whether a command of the application asks for such a line, as libcurl sees it: some commands ask
 * for all, others for those of their own name, and STORE for FETCH's too. */
static bool is_asked(const char *custom, struct mote_slice word)
{
  struct mote_slice coded = mote_slice_of(custom), name;
  char text[32];
  const char *end;
  struct mote_out out = mote_out_in(text, sizeof text);
  coded.len = coded.len < sizeof text ? coded.len : sizeof text;
  mote_talk_word(&out, coded, true);
  name = mote_out_written(&out);
  end = memchr(text, ' ', name.len);
  name.len = end ? (size_t)(end - text) : name.len;
  return mote_slice_among(name, "SELECT\0EXAMINE\0SEARCH\0EXPUNGE\0LSUB\0UID\0GETQUOTAROOT\0NOOP\0") ||
         mote_slice_same_nocase(word, name) ||
         (mote_slice_is(name, "STORE") && mote_slice_is(word, "FETCH"));
}

/* Lines that answer the command, and not those by which a server reports what has happened meanwhile. The
 * first literal of a FETCH response is the message. What follows it in a response to a command of the
 * application answers as far as there are further literals. */
static bool mail_imap_is_answer(const struct mote_transfer *t, const struct mote_imap *i,
                                const struct mote_reply *r)
{
  const char *custom = mote_mail_custom(t);
  bool fetch = i->asks == MOTE_IMAP_FETCH;
  if(i->inside)
    return !fetch && !i->drops && (!i->fetched || r->literal >= 0);
  if(r->kind != MOTE_IMAP_UNTAGGED || (fetch && i->fetched))
    return false;
  return custom ? is_asked(custom, r->word) : mote_slice_among(r->word, MOTE_IMAP_WORDS) == i->asks;
}

/* What else has a literal than an answer is passed over. */
static CURLcode imap_take_literal(struct mote_transfer *t, struct mote_imap *i, const struct mote_reply *r,
                                  bool answer)
{
  bool fetch = i->asks == MOTE_IMAP_FETCH;
  i->left = r->literal;
  i->drops = !answer;
  i->fetched = fetch || i->inside ? i->fetched || (fetch && answer) : mote_slice_is(r->word, "FETCH");
  if(fetch && answer)
    mote_response_announce(&t->run->response, r->literal);
  return mote_talk_go(&i->mail.talk, MOTE_IMAP_LITERAL);
}

/* Of the messages that a FETCH of the application brings the end of the last one's line is not delivered, as
 * by libcurl. */
static CURLcode imap_take_response(struct mote_transfer *t, struct mote_talk *talk,
                                   const struct mote_reply *r)
{
  struct mote_imap *i = (struct mote_imap *)talk;
  bool fetch = i->asks == MOTE_IMAP_FETCH, ok = r->says == MOTE_MAIL_OK;
  bool answer = mail_imap_is_answer(t, i, r);
  CURLcode rc = answer && !fetch ? mote_mail_deliver(t, r->line) : CURLE_OK;
  if(rc)
    return rc;
  if(r->literal == MOTE_IMAP_BAD_LITERAL || (answer && fetch && mote_imap_lacks_message(r)))
    return mote_talk_refused(t, talk, CURLE_WEIRD_SERVER_REPLY, r);
  if(answer && !fetch)
    talk->bytes = 0; /* what is delivered may be of any length */
  if(r->literal >= 0)
    return imap_take_literal(t, i, r, answer);
  i->inside = false;
  if(!r->last)
    return CURLE_AGAIN;
  return fetch ? mote_mail_take_last(t, talk, r, ok && i->fetched, CURLE_REMOTE_FILE_NOT_FOUND)
               : mote_mail_take_last(t, talk, r, ok, CURLE_QUOTE_ERROR);
}

/* ---- the row ---- */

static const struct mote_stage stages[] = {
  MOTE_MAIL_AT(MOTE_MAIL_HELLO) = {"CAPABILITY", NULL, mote_imap_take_hello, MOTE_MAIL_CHOOSE, true},
  MOTE_MAIL_AT(MOTE_MAIL_STARTTLS) = {"STARTTLS", NULL, mote_mail_take_tls, MOTE_MAIL_TLS, false},
  MOTE_MAIL_AT(MOTE_IMAP_LOGIN) = {"LOGIN", mote_imap_send_login, mote_mail_take_login,
                                   MOTE_MAIL_READY, false},
  MOTE_MAIL_AT(MOTE_IMAP_SELECT) = {"SELECT", send_select, take_select, MOTE_IMAP_COMMAND, true},
  MOTE_MAIL_AT(MOTE_IMAP_COMMAND) = {"command", imap_send_command, imap_take_response, MOTE_MAIL_OVER, true},
  MOTE_MAIL_AT(MOTE_IMAP_LITERAL) = {"literal", mote_imap_receive, NULL, MOTE_IMAP_COMMAND, false},
  MOTE_MAIL_AT(MOTE_IMAP_APPEND) = {"APPEND", mote_imap_send_append, mote_imap_take_append,
                                    MOTE_IMAP_UPLOAD, false},
  MOTE_MAIL_AT(MOTE_IMAP_UPLOAD) = {"upload", mote_mail_send, NULL, MOTE_IMAP_UPLOADED, false},
  MOTE_MAIL_AT(MOTE_IMAP_UPLOADED) = {"end of the upload", mote_imap_end_append, mote_imap_take_append,
                                      MOTE_MAIL_OVER, false},
};

/* A line with the command's tag ends its response, unless it is what follows a literal. The banner has none,
 * and "+" ends what comes before a message. */
static CURLcode imap_read(struct mote_transfer *t, struct mote_talk *talk, struct mote_reply *r)
{
  struct mote_imap *i = (struct mote_imap *)talk;
  char tag[MOTE_IMAP_TAG];
  struct mote_imap_line l;
  bool ok, inside;
  mote_imap_tag(i, t->run->channel.conn->id, tag);
  mote_imap_read(&l, r->line, tag);
  r->text = l.rest;
  r->word = l.word;
  r->kind = l.kind;
  r->literal = l.literal;
  ok = l.status == MOTE_IMAP_OK;
  inside = i->inside && talk->stage == MOTE_IMAP_COMMAND && i->asks != MOTE_IMAP_FETCH;
  r->last = l.kind == MOTE_IMAP_TAGGED && !inside;
  i->command = (uint16_t)(i->command + r->last);
  if(talk->stage == MOTE_MAIL_BANNER) {
    r->last = l.kind == MOTE_IMAP_UNTAGGED && l.status != MOTE_IMAP_NONE;
    i->mail.no_login = l.status == MOTE_IMAP_PREAUTH;
    ok = ok || i->mail.no_login;
  }
  else if(l.kind == MOTE_IMAP_GO_ON)
    r->last = talk->stage == MOTE_MAIL_AUTH || talk->stage == MOTE_IMAP_APPEND;
  r->says = l.kind == MOTE_IMAP_GO_ON ? MOTE_MAIL_GO_ON : ok ? MOTE_MAIL_OK : MOTE_MAIL_NO;
  return CURLE_OK;
}

static CURLcode imap_goodbye(struct mote_conn *c)
{
  char tag[MOTE_IMAP_TAG], word[MOTE_IMAP_TAG + 16];
  mote_imap_tag(mote_conn_state(c), c->id, tag);
  (void)mote_snprintf(word, sizeof word, "%s LOGOUT\r\n", tag);
  return mote_talk_goodbye(c, word);
}

static const struct mote_mail_row imap = {
  .driver = {.name = "imap", .goodbye = imap_goodbye, .discard = mote_mail_discard},
  .talk = {MOTE_MAIL_SHARED, .stages = stages, .read = imap_read, .line_most = LINE_MOST,
           .front = mote_imap_put_tag},
  .service = {.name = "imap", .own = "+LOGIN", .command = "AUTHENTICATE "},
  .words = "STARTTLS\0SASL-IR\0LOGINDISABLED\0",
  .initial = MOTE_IMAP_CAN_INITIAL,
  .own_way = mote_imap_own_way,
};

const struct mote_protocol mote_protocol_imap = {
  .name = "imap",
  .conn_size = sizeof(struct mote_imap),
  .driver = &imap.driver,
  .login = mote_http_identity,
  .prepare = imap_prepare,
  .greet = mote_mail_greet,
  .begin = imap_begin,
  .step = mote_mail_step,
  .end = mote_mail_end,
};
