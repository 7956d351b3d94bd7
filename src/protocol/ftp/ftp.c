/* protocol/ftp/ftp.c: the row of FTP, the start and the end of an exchange (protocol/ftp/ftp.h). */
#include "protocol/ftp/ftp.h"

#include <stddef.h>
#include <string.h>

#include "codec/ftp/reply.h"
#include "connect/data/data.h"
#include "net/conn.h"
#include "net/driver.h"
#include "protocol/ftp/ftp_list.h"
#include "protocol/starttls.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

/* ---- stages ---- */

static const struct mote_stage stages[MOTE_FTP_OVER] = {
  /* the greeting */
  [MOTE_FTP_BANNER] = {"banner", mote_talk_await, mote_ftp_take_banner, MOTE_FTP_AUTH, false},
  [MOTE_FTP_AUTH] = {"AUTH", mote_ftp_send_auth, mote_ftp_take_auth, MOTE_FTP_SECURE, false},
  [MOTE_FTP_SECURE] = {"TLS", mote_starttls_begin, NULL, MOTE_FTP_USER, false},
  [MOTE_FTP_USER] = {"USER", mote_ftp_send_login, mote_ftp_take_login, MOTE_FTP_PBSZ, false},
  [MOTE_FTP_PASS] = {"PASS", mote_ftp_send_login, mote_ftp_take_login, MOTE_FTP_PBSZ, false},
  [MOTE_FTP_ACCT] = {"ACCT", mote_ftp_send_acct, mote_ftp_take_acct, MOTE_FTP_PBSZ, false},
  [MOTE_FTP_ALTERNATIVE] = {"login", mote_ftp_send_alternative, mote_ftp_take_login, MOTE_FTP_PBSZ, false},
  [MOTE_FTP_PBSZ] = {"PBSZ", mote_ftp_send_pbsz, NULL, MOTE_FTP_PROT, false},
  [MOTE_FTP_PROT] = {"PROT", mote_ftp_send_prot, mote_ftp_take_prot, MOTE_FTP_CCC, false},
  [MOTE_FTP_CCC] = {"CCC", mote_ftp_send_ccc, mote_ftp_take_ccc, MOTE_FTP_CLEAR, false},
  [MOTE_FTP_CLEAR] = {"end of TLS", mote_ftp_end_tls, NULL, MOTE_FTP_PWD, false},
  [MOTE_FTP_PWD] = {"PWD", NULL, mote_ftp_take_pwd, MOTE_FTP_SYST, false},
  [MOTE_FTP_SYST] = {"SYST", NULL, mote_ftp_take_syst, MOTE_FTP_NAMEFMT, false},
  [MOTE_FTP_NAMEFMT] = {"SITE NAMEFMT 1", NULL, mote_ftp_take_namefmt, MOTE_FTP_PWD, false},
  /* an exchange */
  [MOTE_FTP_QUOTE] = {"quote", mote_ftp_send_quote, mote_ftp_take_quote, MOTE_FTP_DIRS, false},
  [MOTE_FTP_DIRS] = {"directory", mote_ftp_begin_dirs, NULL, MOTE_FTP_CWD, false},
  [MOTE_FTP_CWD] = {"CWD", mote_ftp_send_cwd, mote_ftp_take_cwd, MOTE_FTP_CWD, false},
  [MOTE_FTP_MKD] = {"MKD", mote_ftp_send_mkd, mote_ftp_take_mkd, MOTE_FTP_CWD, false},
  [MOTE_FTP_MDTM] = {"MDTM", mote_ftp_send_mdtm, mote_ftp_take_mdtm, MOTE_FTP_PRET, false},
  [MOTE_FTP_PRET] = {"PRET", mote_ftp_send_pret, mote_ftp_take_pret, MOTE_FTP_EPSV, false},
  [MOTE_FTP_EPSV] = {"EPSV", mote_ftp_send_epsv, mote_ftp_take_epsv, MOTE_FTP_OPEN, false},
  [MOTE_FTP_PASV] = {"PASV", NULL, mote_ftp_take_pasv, MOTE_FTP_OPEN, false},
  [MOTE_FTP_OPEN] = {"connect", mote_ftp_open_data, NULL, MOTE_FTP_TYPE, false},
  [MOTE_FTP_LISTEN] = {"listen", mote_ftp_listen, NULL, MOTE_FTP_EPRT, false},
  [MOTE_FTP_EPRT] = {"EPRT", mote_ftp_send_eprt, mote_ftp_take_port, MOTE_FTP_TYPE, false},
  [MOTE_FTP_PORT] = {"PORT", mote_ftp_send_port, mote_ftp_take_port, MOTE_FTP_TYPE, false},
  [MOTE_FTP_TYPE] = {"TYPE", mote_ftp_send_type, mote_ftp_take_type, MOTE_FTP_PREQUOTE, false},
  [MOTE_FTP_PREQUOTE] = {"prequote", mote_ftp_send_quote, mote_ftp_take_quote, MOTE_FTP_SIZE, false},
  [MOTE_FTP_SIZE] = {"SIZE", mote_ftp_send_size, mote_ftp_take_size, MOTE_FTP_PART, false},
  [MOTE_FTP_PART] = {"range", mote_ftp_choose_part, NULL, MOTE_FTP_REST, false},
  [MOTE_FTP_REST] = {"REST", mote_ftp_send_rest, mote_ftp_take_rest, MOTE_FTP_MOVE, false},
  [MOTE_FTP_MOVE] = {"RETR or STOR", mote_ftp_send_move, mote_ftp_take_move, MOTE_FTP_READY, false},
  [MOTE_FTP_READY] = {"start of the data", mote_ftp_make_ready, NULL, MOTE_FTP_RECEIVE, false},
  [MOTE_FTP_RECEIVE] = {"download", mote_ftp_receive_file, NULL, MOTE_FTP_LAST, false},
  [MOTE_FTP_SEND] = {"upload", mote_ftp_send_file, NULL, MOTE_FTP_FINISH, false},
  [MOTE_FTP_FINISH] = {"end of the upload", mote_ftp_finish_file, NULL, MOTE_FTP_LAST, false},
  [MOTE_FTP_LAST] = {"last reply", mote_ftp_await_last, mote_ftp_take_last, MOTE_FTP_POSTQUOTE, false},
  [MOTE_FTP_FACT] = {"fact", mote_ftp_deliver_fact, NULL, MOTE_FTP_OVER, false},
  [MOTE_FTP_ABOR] = {"ABOR", NULL, NULL, MOTE_FTP_POSTQUOTE,
                     false}, /* which replies are its own is uncertain */
  [MOTE_FTP_POSTQUOTE] = {"postquote", mote_ftp_send_quote, mote_ftp_take_quote, MOTE_FTP_OVER, false},
};

/* 421 may come at any time: the server leaves (RFC 959 section 5.4). While data moves, the first reply is
 * kept, and what others answer is unknown, as it is of any that comes before the data are asked for. */
static CURLcode ftp_read(struct mote_transfer *t, struct mote_talk *talk, struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  bool both = talk->turn == MOTE_TURN_BOTH, early = both && talk->stage < MOTE_FTP_MOVE;
  r->code = (uint16_t)mote_reply_take(&f->open, r->line);
  r->last = r->code != 0;
  if(!r->last)
    return CURLE_OK;
  r->text = mote_reply_text(r->line);
  if(both && (f->last || (early && r->code != 421))) {
    f->doubtful = true;
    return CURLE_OK;
  }
  t->run->response.code = r->code;
  if(both && !early)
    f->last = r->code;
  else if(r->code == 421)
    return mote_talk_refused(t, talk, CURLE_OPERATION_TIMEDOUT, r);
  return CURLE_OK;
}

/* Data that are under way are still taken, as the last reply may have come before them. */
static bool ftp_goes_on(const struct mote_talk *talk)
{
  return talk->stage > MOTE_FTP_MOVE && mote_data_is_connected(((const struct mote_ftp *)talk)->data);
}

static const struct mote_talk_row row = {
  .stages = stages, .line_most = MOTE_FTP_LINE_MOST, .read = ftp_read, .goes_on = ftp_goes_on,
};

/* ---- the greeting ---- */

static CURLcode ftp_greet(struct mote_transfer *t, mote_time now)
{
  return mote_talk_greet(t, &mote_ftp_of(t)->talk, &row, now, MOTE_FTP_GREETED);
}

/* ---- an exchange ---- */

static void ftp_reset(struct mote_ftp *f)
{
  memset((char *)f + offsetof(struct mote_ftp, last), 0, sizeof *f - offsetof(struct mote_ftp, last));
  f->left = -1;
  f->size = -1;
}

/* A URL with an encoded line end is refused when the server has greeted, and then the connection is closed,
 * as in libcurl. */
static CURLcode ftp_begin(struct mote_transfer *t)
{
  struct mote_ftp *f = mote_ftp_of(t);
  CURLcode rc;
  ftp_reset(f);
  f->upload = t->run->request.method == MOTE_METHOD_PUT;
  f->head = t->run->request.method == MOTE_METHOD_HEAD;
  mote_response_announce(&t->run->response, -1);
  mote_conn_clear_events(t->run->channel.conn);
  rc = mote_ftp_report_entry(t, f);
  if(!rc)
    rc = mote_ftp_path_begin(t, f);
  if(!rc)
    rc = mote_ftp_list_begin(t, f);
  if(!rc && f->upload && f->wanted == 'A' && !mote_opt_long(&t->options, CURLOPT_CRLF) &&
     !mote_source_push(t, &mote_source_crlf))
    rc = CURLE_OUT_OF_MEMORY;
  f->talk.at_rest = !rc;
  return rc ? rc : mote_talk_go(&f->talk, MOTE_FTP_QUOTE);
}

static CURLcode ftp_step(struct mote_transfer *t, mote_time now)
{
  struct mote_ftp *f = mote_ftp_of(t);
  CURLcode rc;
  do {
    rc = mote_talk_step(t, &f->talk, &row, now, MOTE_FTP_OVER);
    if(rc)
      return rc;
  } while(mote_ftp_list_next(t, f, &rc));
  if(rc)
    return rc;
  f->talk.at_rest = true;
  return mote_talk_finish(t);
}

static void ftp_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_ftp *f = mote_ftp_of(t);
  (void)rc;
  mote_data_close(t, &f->data);
  mote_ftp_list_end(t, f);
  f->used = true;
  f->lost = f->lost || f->strayed;
  mote_talk_end_exchange(t);
  if(f->cut || f->doubtful || mote_ftp_is_astray(f))
    mote_conn_set_reusable(t->run->channel.conn, false);
}

static const struct mote_driver ftp_driver = {
  .name = "ftp", .goodbye = mote_talk_quit, .discard = mote_ftp_discard,
};

const struct mote_protocol mote_protocol_ftp = {
  .name = "ftp",
  .conn_size = MOTE_FTP_STATE_SIZE,
  .driver = &ftp_driver,
  .login = mote_ftp_identity,
  .prepare = mote_ftp_prepare,
  .greet = ftp_greet,
  .begin = ftp_begin,
  .step = ftp_step,
  .end = ftp_end,
};
