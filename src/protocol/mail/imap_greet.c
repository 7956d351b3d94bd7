/* protocol/mail/imap_greet.c: banner, CAPABILITY, perhaps STARTTLS and CAPABILITY again, then the login;
 * and how commands are written (protocol/mail/imap.h). */
#include <string.h>

#include "auth/scheme.h"
#include "base/out.h"
#include "codec/mail/imap.h"
#include "net/conn_struct.h"
#include "protocol/mail/imap.h"
#include "protocol/mail/mail.h"

/* ---- commands ---- */

bool mote_imap_url(const struct mote_transfer *t, struct mote_imap_url *u)
{
  return mote_imap_read_url(u, mote_mail_path(t));
}

/* A letter and three digits. Tags of two connections differ, so that a log of both can be read. Each line of
 * a response is compared with the tag, which is therefore written without a format. */
void mote_imap_tag(const struct mote_imap *i, int32_t connection, char out[MOTE_IMAP_TAG])
{
  unsigned number = (i->command + 1) % 1000u;
  out[0] = (char)('A' + (uint32_t)connection % 26);
  out[1] = (char)('0' + number / 100);
  out[2] = (char)('0' + number / 10 % 10);
  out[3] = (char)('0' + number % 10);
  out[4] = '\0';
}

void mote_imap_put_tag(const struct mote_transfer *t, struct mote_out *out)
{
  char tag[MOTE_IMAP_TAG];
  mote_imap_tag(mote_mail_state(t), t->run->channel.conn->id, tag);
  mote_talk_text(out, tag);
  mote_talk_text(out, " ");
}

/* What is decoded is put where the string does not overtake it. */
void mote_imap_string(struct mote_out *out, struct mote_slice word, bool coded, bool quoted)
{
  size_t gap = word.len + 2;
  struct mote_out plain = *out;
  if(!mote_out_fits(out, gap + word.len))
    return;
  plain.len += gap;
  mote_talk_word(&plain, word, coded);
  word = (struct mote_slice){out->ptr + out->len + gap, plain.len - out->len - gap};
  out->len += mote_imap_put_string(out->ptr + out->len, word, quoted);
}

/* ---- the greeting ---- */

CURLcode mote_imap_take_hello(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_mail *m = (struct mote_mail *)talk;
  struct mote_slice rest = r->text, word;
  if(r->kind == MOTE_IMAP_UNTAGGED && mote_slice_is(r->word, "CAPABILITY"))
    while(mote_imap_next_word(&rest, &word)) {
      (void)mote_mail_learn(m, word);
      if(word.len > 5 && mote_equal_nocase_n(word.ptr, "AUTH=", 5))
        mote_sasl_exchange_offer(&m->offered, (struct mote_slice){word.ptr + 5, word.len - 5});
    }
  if(!r->last)
    return CURLE_AGAIN;
  if(m->no_login) /* made by the server itself, it leaves no way to TLS (RFC 9051 section 11.1) */
    m->can &= (uint8_t)~MOTE_MAIL_CAN_TLS;
  return mote_mail_take_hello(t, m);
}

unsigned mote_imap_own_way(const struct mote_mail *m, struct mote_sasl_ways ways)
{
  if(ways.own && !(m->can & MOTE_IMAP_NO_LOGIN))
    return MOTE_IMAP_LOGIN;
  return MOTE_MAIL_CHOOSE;
}

CURLcode mote_imap_send_login(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_auth_login l;
  struct mote_out out;
  (void)mote_sasl_exchange_login(t, &l);
  mote_talk_begin(t, talk, &out);
  mote_talk_text(&out, "LOGIN ");
  mote_imap_string(&out, l.user, l.user_coded, false);
  mote_talk_text(&out, " ");
  mote_imap_string(&out, l.password, l.password_coded, false);
  return mote_talk_send(t, talk, &out);
}
