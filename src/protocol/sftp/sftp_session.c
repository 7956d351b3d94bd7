/* protocol/sftp/sftp_session.c: greets a server of SSH, and starts SFTP where the URL asks for it
 * (protocol/ssh/ssh.h, protocol/sftp/sftp.h). */
#include "base/out.h"
#include "http/auth/netrc.h"
#include "protocol/sftp/sftp.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

/* ---- the key exchange ---- */

/* Ciphers in the order of OpenSSH's client, but those first that libssh2 applies to a whole packet at once:
 * they take the most of a transfer's time. Without the preference they are libssh2's. */
static void prefer_ciphers(struct mote_ssh *s)
{
  static const char list[] = "aes128-gcm@openssh.com,aes256-gcm@openssh.com,aes128-ctr,aes192-ctr,"
                             "aes256-ctr,aes256-cbc,aes192-cbc,aes128-cbc,3des-cbc";
  (void)mote_ssh_prefer(s, LIBSSH2_METHOD_CRYPT_CS, list);
  (void)mote_ssh_prefer(s, LIBSSH2_METHOD_CRYPT_SC, list);
}

static CURLcode sftp_session_begin(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  CURLcode rc = mote_ssh_open(t, s);
  if(!rc && mote_opt_long(&t->options, CURLOPT_SSH_COMPRESSION))
    (void)libssh2_session_flag(s->session, LIBSSH2_FLAG_COMPRESS, 1);
  if(rc)
    return rc;
  prefer_ciphers(s);
  return mote_ssh_prefer_known(t, s);
}

static CURLcode sftp_session_handshake(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  int result;
  mote_ssh_enter(s);
  result = libssh2_session_handshake(s->session, mote_conn_fd(s->conn));
  s->exchanging = result == LIBSSH2_ERROR_EAGAIN;
  if(!result)
    return CURLE_OK;
  return mote_ssh_judge(t, s, result, CURLE_FAILED_INIT, "The exchange of keys with the server has failed");
}

/* ---- SFTP ---- */

/* SCP opens a channel for each file. */
static CURLcode sftp_session_open_channel(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  if(t->run->request.scheme->curlproto != CURLPROTO_SFTP)
    return mote_talk_go(talk, MOTE_SSH_READY);
  mote_ssh_enter(s);
  s->channel = libssh2_channel_open_ex(s->session, "session", 7, MOTE_SSH_WINDOW, MOTE_SSH_PACKET, NULL, 0);
  if(!s->channel)
    return mote_ssh_judge(t, s, libssh2_session_last_errno(s->session), CURLE_SSH,
                          "The server opens no channel");
  (void)libssh2_channel_handle_extended_data2(s->channel, LIBSSH2_CHANNEL_EXTENDED_DATA_IGNORE);
  return CURLE_OK;
}

static CURLcode sftp_session_start(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  int result;
  mote_ssh_enter(s);
  result = libssh2_channel_subsystem(s->channel, "sftp");
  return result ? mote_ssh_judge(t, s, result, CURLE_SSH, "The server does not offer SFTP") : CURLE_OK;
}

static CURLcode sftp_session_send_init(struct mote_transfer *t, struct mote_talk *talk)
{
  char room[MOTE_SFTP_HEAD];
  struct mote_out o = mote_out_in(room, sizeof room);
  mote_sftp_begin(&o, MOTE_SFTP_INIT, MOTE_SFTP_VERSION_NUMBER);
  return mote_sftp_send(t, (struct mote_ssh *)talk, &o);
}

static CURLcode sftp_session_take_version(struct mote_transfer *t, struct mote_talk *talk,
                                          const struct mote_reply *r)
{
  const struct mote_sftp_event *e = r->more;
  (void)talk;
  return e->type == MOTE_SFTP_VERSION && e->id >= MOTE_SFTP_VERSION_NUMBER ? CURLE_OK
                                                                           : mote_sftp_unexpected(t);
}

static CURLcode sftp_session_ask_home(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  char room[MOTE_SFTP_HEAD + 5];
  struct mote_out o = mote_out_in(room, sizeof room);
  mote_sftp_request(s, &o, MOTE_SFTP_REALPATH);
  mote_sftp_put_text(&o, mote_slice_of("."));
  return mote_sftp_send(t, s, &o);
}

static CURLcode sftp_session_take_home(struct mote_transfer *t, struct mote_talk *talk,
                                       const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  if(e->id == s->sftp.id && e->type == MOTE_SFTP_NAME && e->end && e->text.len)
    return mote_buf_add(&s->home, e->text.ptr, e->text.len);
  return mote_talk_failed(t, CURLE_SSH, "The server does not say in which directory the user begins");
}

/* ---- the greeting ---- */

/* A way to log in that does not work leads to the next one. */
static const struct mote_stage stages[MOTE_SSH_READY] = {
  [MOTE_SSH_NEW] = {"start", sftp_session_begin, NULL, MOTE_SSH_HANDSHAKE, false},
  [MOTE_SSH_HANDSHAKE] = {"key exchange", sftp_session_handshake, NULL, MOTE_SSH_VERIFY, false},
  [MOTE_SSH_VERIFY] = {"host key", mote_ssh_verify, NULL, MOTE_SSH_METHODS, false},
  [MOTE_SSH_METHODS] = {"ways to log in", mote_ssh_methods, NULL, MOTE_SSH_KEY, false},
  [MOTE_SSH_KEY] = {"public key", mote_ssh_key, NULL, MOTE_SSH_PASSWORD, false},
  [MOTE_SSH_PASSWORD] = {"password", mote_ssh_password, NULL, MOTE_SSH_AGENT, false},
  [MOTE_SSH_AGENT] = {"agent", mote_ssh_agent, NULL, MOTE_SSH_KEYBOARD, false},
  [MOTE_SSH_KEYBOARD] = {"keyboard-interactive", mote_ssh_keyboard, NULL, MOTE_SSH_DENIED, false},
  [MOTE_SSH_DENIED] = {"no login", mote_ssh_denied, NULL, MOTE_SSH_READY, false},
  [MOTE_SSH_CHANNEL] = {"channel", sftp_session_open_channel, NULL, MOTE_SSH_SUBSYSTEM, false},
  [MOTE_SSH_SUBSYSTEM] = {"subsystem", sftp_session_start, NULL, MOTE_SSH_VERSION, false},
  [MOTE_SSH_VERSION] = {"INIT", sftp_session_send_init, sftp_session_take_version, MOTE_SSH_HOME, false},
  [MOTE_SSH_HOME] = {"REALPATH", sftp_session_ask_home, sftp_session_take_home, MOTE_SSH_READY, false},
};

static const struct mote_talk_row row = {.stages = stages, .hear = mote_sftp_hear};

CURLcode mote_sftp_greet(struct mote_transfer *t, mote_time now)
{
  struct mote_ssh *s = mote_ssh_of(t);
  CURLcode rc = s->session ? mote_ssh_flush(t, s) : CURLE_OK;
  if(!rc || rc == CURLE_AGAIN)
    rc = mote_talk_greet(t, &s->talk, &row, now, MOTE_SSH_READY);
  return rc == CURLE_AGAIN ? mote_ssh_wait(t, s) : rc;
}

CURLcode mote_sftp_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_netrc_find_printable(t);
  mote_request_announce(&t->run->request, -1);
  if(rc)
    return rc;
  if(t->run->request.method == MOTE_METHOD_PUT)
    return mote_source_open_whole(t);
  mote_source_close(t); /* a POST is a download */
  return CURLE_OK;
}
