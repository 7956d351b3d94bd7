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

static CURLcode ssh_session_begin(struct mote_transfer *t, struct mote_ssh *s)
{
  CURLcode rc = mote_ssh_open(t, s);
  if(!rc && mote_opt_long(&t->options, CURLOPT_SSH_COMPRESSION))
    (void)libssh2_session_flag(s->session, LIBSSH2_FLAG_COMPRESS, 1);
  if(rc)
    return rc;
  prefer_ciphers(s);
  rc = mote_ssh_prefer_known(t, s);
  return rc ? rc : mote_ssh_go(s, MOTE_SSH_HANDSHAKE);
}

static CURLcode ssh_session_handshake(struct mote_transfer *t, struct mote_ssh *s)
{
  int result;
  mote_ssh_enter(s);
  result = libssh2_session_handshake(s->session, mote_conn_fd(s->conn));
  s->exchanging = result == LIBSSH2_ERROR_EAGAIN;
  if(result)
    return mote_ssh_judge(t, s, result, CURLE_SSH, "The exchange of keys with the server has failed");
  return mote_ssh_go(s, MOTE_SSH_VERIFY);
}

static CURLcode ssh_session_verify(struct mote_transfer *t, struct mote_ssh *s)
{
  CURLcode rc = mote_ssh_verify(t, s);
  return rc ? rc : mote_ssh_go(s, MOTE_SSH_METHODS);
}

/* SCP opens a channel for each file. */
static CURLcode logged_in(struct mote_transfer *t, struct mote_ssh *s)
{
  if(t->run->request.scheme->curlproto == CURLPROTO_SFTP)
    return mote_sftp_start(t, s);
  return mote_ssh_go(s, MOTE_SSH_READY);
}

static CURLcode (*const stages[MOTE_SSH_READY])(struct mote_transfer *t, struct mote_ssh *s) = {
  [MOTE_SSH_NEW] = ssh_session_begin,
  [MOTE_SSH_HANDSHAKE] = ssh_session_handshake,
  [MOTE_SSH_VERIFY] = ssh_session_verify,
  [MOTE_SSH_METHODS] = mote_ssh_methods,
  [MOTE_SSH_KEY] = mote_ssh_key,
  [MOTE_SSH_PASSWORD] = mote_ssh_password,
  [MOTE_SSH_AGENT] = mote_ssh_agent,
  [MOTE_SSH_KEYBOARD] = mote_ssh_keyboard,
  [MOTE_SSH_DENIED] = mote_ssh_denied,
  [MOTE_SSH_CHANNEL] = logged_in,
  [MOTE_SSH_SUBSYSTEM] = mote_sftp_start,
  [MOTE_SSH_VERSION] = mote_sftp_version,
  [MOTE_SSH_HOME] = mote_sftp_home,
};

CURLcode mote_ssh_greet(struct mote_transfer *t, mote_time now)
{
  struct mote_ssh *s = mote_ssh_of(t);
  CURLcode rc = s->session ? mote_ssh_flush(t, s) : CURLE_OK;
  (void)now;
  if(rc == CURLE_AGAIN)
    rc = CURLE_OK;
  while(!rc && s->stage != MOTE_SSH_READY)
    rc = stages[s->stage](t, s);
  s->at_rest = !rc;
  return rc == CURLE_AGAIN ? mote_ssh_wait(t, s) : rc;
}

CURLcode mote_ssh_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_netrc_find_printable(t);
  t->run->request.size_up = -1;
  if(rc)
    return rc;
  if(t->run->request.method == MOTE_METHOD_PUT)
    return mote_source_open_whole(t);
  mote_source_close(t); /* a POST is a download */
  return CURLE_OK;
}
