/* protocol/ssh/ssh_session.c: greets a server of SSH (protocol/ssh/ssh.h). */
#include "http/auth/netrc.h"
#include "protocol/ssh/sftp.h"
#include "transfer/upload/source.h"

/* Ciphers in the order of OpenSSH's client, but those first that libssh2 applies to a whole packet at once:
 * they take the most of a transfer's time. */
static void prefer_ciphers(struct mote_ssh *s)
{
  static const char list[] = "aes128-gcm@openssh.com,aes256-gcm@openssh.com,aes128-ctr,aes192-ctr,"
                             "aes256-ctr,aes256-cbc,aes192-cbc,aes128-cbc,3des-cbc";
  mote_ssh_prefer(s, LIBSSH2_METHOD_CRYPT_CS, list);
  mote_ssh_prefer(s, LIBSSH2_METHOD_CRYPT_SC, list);
}

static CURLcode ssh_session_begin(struct mote_transfer *t, struct mote_talk *talk)
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

static CURLcode ssh_session_handshake(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  int result;
  mote_ssh_enter(s);
  result = libssh2_session_handshake(s->session, mote_conn_fd(s->conn));
  s->exchanging = result == LIBSSH2_ERROR_EAGAIN;
  return result ? mote_ssh_judge(t, s, result, CURLE_SSH, "The exchange of keys with the server has failed")
                : CURLE_OK;
}

/* A way to log in that does not work leads to the next one. */
static const struct mote_stage stages[MOTE_SSH_READY] = {
  [MOTE_SSH_NEW] = {"start", ssh_session_begin, NULL, MOTE_SSH_HANDSHAKE, false},
  [MOTE_SSH_HANDSHAKE] = {"key exchange", ssh_session_handshake, NULL, MOTE_SSH_VERIFY, false},
  [MOTE_SSH_VERIFY] = {"host key", mote_ssh_verify, NULL, MOTE_SSH_METHODS, false},
  [MOTE_SSH_METHODS] = {"ways to log in", mote_ssh_methods, NULL, MOTE_SSH_KEY, false},
  [MOTE_SSH_KEY] = {"public key", mote_ssh_key, NULL, MOTE_SSH_PASSWORD, false},
  [MOTE_SSH_PASSWORD] = {"password", mote_ssh_password, NULL, MOTE_SSH_AGENT, false},
  [MOTE_SSH_AGENT] = {"agent", mote_ssh_agent, NULL, MOTE_SSH_KEYBOARD, false},
  [MOTE_SSH_KEYBOARD] = {"keyboard-interactive", mote_ssh_keyboard, NULL, MOTE_SSH_DENIED, false},
  [MOTE_SSH_DENIED] = {"no login", mote_ssh_denied, NULL, MOTE_SSH_READY, false},
  [MOTE_SSH_CHANNEL] = {"channel", mote_sftp_open_channel, NULL, MOTE_SSH_SUBSYSTEM, false},
  [MOTE_SSH_SUBSYSTEM] = {"subsystem", mote_sftp_start, NULL, MOTE_SSH_VERSION, false},
  [MOTE_SSH_VERSION] = {"INIT", mote_sftp_send_init, mote_sftp_take_version, MOTE_SSH_HOME, false},
  [MOTE_SSH_HOME] = {"REALPATH", mote_sftp_ask_home, mote_sftp_take_home, MOTE_SSH_READY, false},
};

static const struct mote_talk_row row = {.stages = stages, .hear = mote_sftp_hear};

CURLcode mote_ssh_greet(struct mote_transfer *t, mote_time now)
{
  struct mote_ssh *s = mote_ssh_of(t);
  CURLcode rc = s->session ? mote_ssh_flush(t, s) : CURLE_OK;
  if(!rc || rc == CURLE_AGAIN)
    rc = mote_talk_greet(t, &s->talk, &row, now, MOTE_SSH_READY);
  return rc == CURLE_AGAIN ? mote_ssh_wait(t, s) : rc;
}

CURLcode mote_ssh_prepare(struct mote_transfer *t)
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
