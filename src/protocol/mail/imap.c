/* protocol/mail/imap.c: what an imap: URL asks for, the selection of its mailbox, and commands whose
 * responses are the body of the transfer: LIST, SEARCH, CURLOPT_CUSTOMREQUEST (protocol/mail/imap.h). */
#include "protocol/mail/imap.h"

#include <string.h>

#include "base/digest/sha256.h"
#include "base/text/format.h"
#include "codec/url/url.h"
#include "http/auth/auth.h"
#include "protocol/mail/mail.h"
#include "transfer/download/sink.h"

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
  struct mote_sha256 h;
  mote_sha256_init(&h);
  mote_sha256_add(&h, mailbox.ptr, mailbox.len);
  mote_sha256_end(&h, digest);
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

/* What follows once the mailbox is selected. */
static CURLcode mail_imap_go_on(const struct mote_transfer *t, const struct mote_imap_url *u)
{
  bool message = u->uid.len || u->mailindex.len;
  return MOTE_PP_TO(message && !mote_mail_custom(t) ? MOTE_IMAP_FETCH : MOTE_IMAP_COMMAND);
}

static CURLcode mail_imap_choose(const struct mote_transfer *t, const struct mote_imap *i)
{
  struct mote_imap_url u;
  (void)mote_imap_url(t, &u);
  if(t->run->body)
    return MOTE_PP_TO(MOTE_IMAP_APPEND);
  if(!u.mailbox.len || !(mote_mail_custom(t) || u.uid.len || u.mailindex.len || query_of(t).len))
    return MOTE_PP_TO(MOTE_IMAP_COMMAND);
  return is_selected(i, &u) ? mail_imap_go_on(t, &u) : MOTE_PP_TO(MOTE_IMAP_SELECT);
}

static CURLcode imap_begin(struct mote_transfer *t)
{
  struct mote_imap *i = mote_mail_state(t);
  i->inside = i->fetched = false;
  return mote_pp_follow(&i->mail.pp, mail_imap_choose(t, i));
}

static CURLcode imap_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_mail_prepare(t);
  struct mote_imap_url u;
  if(rc)
    return rc;
  if(!mote_imap_url(t, &u)) {
    mote_fail(&t->report, "The URL has a parameter that is unknown or stands twice");
    return CURLE_URL_MALFORMAT;
  }
  if(!t->run->body || u.mailbox.len)
    return CURLE_OK;
  mote_fail(&t->report, "The URL names no mailbox to append to");
  return CURLE_URL_MALFORMAT;
}

/* ---- SELECT ---- */

static CURLcode send_select(struct mote_transfer *t, struct mote_imap *i)
{
  struct mote_imap_url u;
  (void)mote_imap_url(t, &u);
  i->selected = false;
  i->uidvalidity = 0;
  return mote_mail_command(t, "SELECT %q", &u.mailbox, true);
}

static CURLcode take_select(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l)
{
  struct mote_imap_url u;
  struct mote_slice value;
  bool ok = l->status == MOTE_IMAP_OK;
  if(l->kind == MOTE_IMAP_UNTAGGED && ok && mote_imap_code(l->rest, "UIDVALIDITY", &value))
    i->uidvalidity = mail_imap_number_of(value);
  if(l->kind != MOTE_IMAP_TAGGED)
    return CURLE_AGAIN;
  i->mail.pp.at_rest = true;
  if(!ok)
    return mote_mail_refused(t, CURLE_LOGIN_DENIED, l->rest);
  (void)mote_imap_url(t, &u);
  digest_of(u.mailbox, i->mailbox);
  i->selected = true;
  if(is_valid(i, &u))
    return mail_imap_go_on(t, &u);
  mote_fail(&t->report, "The mailbox has another UIDVALIDITY than the URL says");
  return CURLE_REMOTE_FILE_NOT_FOUND;
}

/* ---- other commands ---- */

/* A command of the application may select another mailbox or close it, so that the next request selects its
 * own again. */
static CURLcode mail_imap_send_command(struct mote_transfer *t, struct mote_imap *i)
{
  const char *custom = mote_mail_custom(t);
  struct mote_slice query = query_of(t), text = mote_slice_of(custom ? custom : "");
  struct mote_imap_url u;
  (void)mote_imap_url(t, &u);
  if(custom) {
    const char *word;
    for(word = "SELECT\0EXAMINE\0CLOSE\0UNSELECT\0"; *word; word += strlen(word) + 1)
      i->selected = i->selected && !mote_equal_nocase_n(custom, word, strlen(word));
    return mote_mail_command(t, "%w", &text, true);
  }
  if(u.mailbox.len && query.len)
    return mote_mail_command(t, "SEARCH %w", &query, true);
  return mote_mail_command(t, "LIST %Q *", &u.mailbox, true);
}

/* Reports whether a command of the application asks for such a line, as libcurl sees it: some commands ask
 * for all, others for those of their own name, and STORE for FETCH's too. */
static bool is_asked(const char *custom, struct mote_slice word)
{
  struct mote_slice coded = mote_slice_of(custom), name;
  char text[32], *end;
  coded.len = coded.len < sizeof text ? coded.len : sizeof text;
  end = mote_mail_put(text, coded, true);
  name = (struct mote_slice){text, (size_t)(end - text)};
  end = memchr(text, ' ', name.len);
  name.len = end ? (size_t)(end - text) : name.len;
  return mote_slice_among(name, "SELECT\0EXAMINE\0SEARCH\0EXPUNGE\0LSUB\0UID\0GETQUOTAROOT\0NOOP\0") ||
         mote_slice_same_nocase(word, name) ||
         (mote_slice_is(name, "STORE") && mote_slice_is(word, "FETCH"));
}

/* Lines that answer the command, and not those by which a server reports what has happened meanwhile. */
static bool mail_imap_is_answer(const struct mote_transfer *t, const struct mote_imap *i,
                                const struct mote_imap_line *l)
{
  if(i->inside)
    return !i->drops && !i->fetched;
  if(l->kind != MOTE_IMAP_UNTAGGED)
    return false;
  if(mote_mail_custom(t))
    return is_asked(mote_mail_custom(t), l->word);
  return mote_slice_is(l->word, query_of(t).len && mote_mail_path(t).len ? "SEARCH" : "LIST");
}

/* Of a message that a FETCH of the application brings the end of its line is not delivered, as by
 * libcurl. */
static CURLcode mail_imap_take_response(struct mote_transfer *t, struct mote_imap *i,
                                        const struct mote_imap_line *l,
                                        struct mote_slice line)
{
  bool answer = mail_imap_is_answer(t, i, l);
  CURLcode rc = answer ? mote_mail_deliver(t, line) : CURLE_OK;
  if(rc)
    return rc;
  if(answer)
    i->mail.pp.bytes = 0; /* what is delivered may be of any length */
  if(l->literal == MOTE_IMAP_BAD_LITERAL)
    return mote_mail_refused(t, CURLE_WEIRD_SERVER_REPLY, l->rest);
  if(l->literal >= 0) {
    i->left = l->literal;
    i->drops = !answer;
    i->fetched = mote_slice_is(l->word, "FETCH");
    return MOTE_PP_TO(MOTE_IMAP_LITERAL);
  }
  if(i->inside || l->kind != MOTE_IMAP_TAGGED) {
    i->inside = false;
    return CURLE_AGAIN;
  }
  return mote_mail_take_last(t, &i->mail, l->status == MOTE_IMAP_OK, CURLE_QUOTE_ERROR, l->rest);
}

/* ---- the row ---- */

static CURLcode imap_ask(struct mote_transfer *t, struct mote_pp *pp, mote_time now)
{
  struct mote_imap *i = mote_mail_state(t);
  if(pp->stage < MOTE_MAIL_READY)
    return mote_imap_greet_ask(t, i);
  if(pp->stage == MOTE_IMAP_SELECT)
    return send_select(t, i);
  return pp->stage == MOTE_IMAP_COMMAND ? mail_imap_send_command(t, i) : mote_imap_fetch_ask(t, i, now);
}

static CURLcode imap_line(struct mote_transfer *t, struct mote_pp *pp, struct mote_slice line)
{
  struct mote_imap *i = mote_mail_state(t);
  char tag[MOTE_IMAP_TAG];
  struct mote_imap_line l;
  mote_imap_tag(i, t->run->channel.conn->id, tag);
  mote_imap_read(&l, line, tag);
  if(pp->stage < MOTE_MAIL_READY)
    return mote_imap_greet_line(t, i, &l);
  if(pp->stage == MOTE_IMAP_SELECT)
    return take_select(t, i, &l);
  return pp->stage == MOTE_IMAP_COMMAND ? mail_imap_take_response(t, i, &l, line)
    : mote_imap_fetch_line(t, i, &l);
}

static CURLcode imap_goodbye(struct mote_conn *c)
{
  struct mote_imap next = *(const struct mote_imap *)mote_conn_state(c);
  char tag[MOTE_IMAP_TAG], word[MOTE_IMAP_TAG + 16];
  next.command++;
  mote_imap_tag(&next, c->id, tag);
  (void)mote_snprintf(word, sizeof word, "%s LOGOUT\r\n", tag);
  return mote_pp_goodbye(c, word);
}

static const struct mote_mail_row imap = {
  .driver = {.name = "imap", .goodbye = imap_goodbye, .discard = mote_mail_discard},
  .commands = {.ask = imap_ask, .line = imap_line, .line_most = LINE_MOST},
  .service = {.name = "imap", .own = "+LOGIN", .command = "AUTHENTICATE "},
  .words = "STARTTLS\0SASL-IR\0LOGINDISABLED\0",
  .initial = MOTE_IMAP_CAN_INITIAL,
  .own_way = mote_imap_own_way,
  .tag = mote_imap_put_tag,
  .string = mote_imap_put_string,
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
