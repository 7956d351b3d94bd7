/* protocol/ssh/ssh_agent.c: logs in with the keys of an agent (protocol/ssh/ssh.h; draft-miller-ssh-agent).
 *
 * The agent is asked on a socket of its own, which the multi watches like any other, as an agent may wait for
 * its user before it signs. libssh2 asks for a signature by a callback, which cannot wait. So the first call
 * writes the request and returns LIBSSH2_ERROR_EAGAIN. When the agent has answered, libssh2 is called again,
 * and calls back again. */
#include <string.h>

#include "base/memory.h"
#include "codec/ssh/ssh_agent.h"
#include "net/conn_struct.h"
#include "port/env.h"
#include "port/port.h"
#include "port/unix.h"
#include "protocol/ssh/ssh.h"
#include "transfer/multi/multi.h"

#define RECEIVE_ROOM 2048u

enum stage {
  CONNECTING,
  LISTING,   /* the request for the keys is under way */
  TRYING,    /* libssh2 asks the server about a key */
  SIGNING,   /* the request for a signature is under way */
  ANSWERED,  /* the agent's answer to that is in `io` */
  FAILED     /* the agent has not signed, or is gone */
};

struct mote_ssh_agent {
  struct mote_account *account; /* that pays for this block; borrowed */
  struct mote_watch watch;
  struct mote_waitset *set; /* that the watch is in; the multi's */
  struct mote_buf io;       /* a request, or its answer; MOTE_SSH_AGENT_MOST at most */
  struct mote_buf list;     /* the answer with the keys */
  struct mote_slice keys;   /* what is left of it */
  struct mote_slice key;    /* that is tried; ptr NULL: none */
  size_t sent;              /* bytes of the request */
  uint8_t stage;            /* enum stage */
  bool asked;               /* the request is sent */
};

/* ---- the socket ---- */

void mote_ssh_agent_close(struct mote_ssh *s)
{
  struct mote_ssh_agent *a = s->agent;
  curl_socket_t fd;
  s->agent = NULL;
  if(!a)
    return;
  fd = a->watch.fd;
  mote_watch_remove(a->set, &a->watch);
  mote_port_close(fd);
  mote_buf_close(&a->io);
  mote_buf_close(&a->list);
  mote_mem_free(a->account, MOTE_PART_CONN, a, sizeof *a);
}

/* CURLE_COULDNT_CONNECT: there is no agent. */
static CURLcode open_agent(struct mote_transfer *t, struct mote_ssh *s)
{
  const char *path = mote_port_getenv("SSH_AUTH_SOCK");
  struct mote_account *account = s->conn->env.account;
  struct mote_ssh_agent *a;
  struct mote_target target;
  curl_socket_t fd;
  int err;
  if(!path || mote_port_target_unix(&target, path, strlen(path), false) ||
     mote_port_socket(&target.u.sa, &fd))
    return CURLE_COULDNT_CONNECT;
  err = mote_port_connect(fd, &target.u.sa);
  a = err && err != MOTE_PORT_AGAIN ? NULL : mote_mem_zalloc(account, MOTE_PART_CONN, sizeof *a);
  if(!a) {
    mote_port_close(fd);
    return err && err != MOTE_PORT_AGAIN ? CURLE_COULDNT_CONNECT : CURLE_OUT_OF_MEMORY;
  }
  a->account = account;
  a->set = &t->multi->set;
  mote_buf_init(&a->io, account, MOTE_PART_CONN, MOTE_SSH_AGENT_MOST);
  mote_buf_init(&a->list, account, MOTE_PART_CONN, MOTE_SSH_AGENT_MOST);
  mote_watch_init(&a->watch, mote_transfer_wake_user);
  a->watch.user = t;
  mote_watch_add(a->set, &a->watch, fd);
  s->agent = a;
  return CURLE_OK;
}

static CURLcode protocol_ssh_agent_wait_for(struct mote_ssh_agent *a, unsigned interest)
{
  return mote_watch_want(a->set, &a->watch, interest) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
}

static CURLcode protocol_ssh_agent_send_request(struct mote_ssh_agent *a)
{
  while(a->sent < a->io.len) {
    size_t n;
    int err = mote_port_send(a->watch.fd, a->io.ptr + a->sent, a->io.len - a->sent, &n);
    if(err)
      return err == MOTE_PORT_AGAIN ? protocol_ssh_agent_wait_for(a, MOTE_WANT_OUT) : CURLE_SEND_ERROR;
    a->sent += n;
  }
  mote_buf_clear(&a->io);
  a->sent = 0;
  a->asked = true;
  return CURLE_OK;
}

static CURLcode protocol_ssh_agent_receive_answer(struct mote_ssh_agent *a)
{
  char room[RECEIVE_ROOM];
  size_t all, n;
  CURLcode rc;
  while((all = mote_ssh_agent_len((struct mote_slice){a->io.ptr, a->io.len})) == 0 || a->io.len < all) {
    int err = all > MOTE_SSH_AGENT_MOST ? ENOBUFS : mote_port_recv(a->watch.fd, room, sizeof room, &n);
    if(err || !n)
      return err == MOTE_PORT_AGAIN ? protocol_ssh_agent_wait_for(a, MOTE_WANT_IN) : CURLE_RECV_ERROR;
    rc = mote_buf_add(&a->io, room, n);
    if(rc)
      return rc;
  }
  a->asked = false;
  return CURLE_OK;
}

/* Goes on with the request in `io`. CURLE_OK: its answer is there instead. */
static CURLcode protocol_ssh_agent_ask(struct mote_ssh_agent *a)
{
  CURLcode rc = a->asked ? CURLE_OK : protocol_ssh_agent_send_request(a);
  return rc ? rc : protocol_ssh_agent_receive_answer(a);
}

/* ---- the stages ---- */

static CURLcode connect_on(struct mote_ssh_agent *a)
{
  int err = mote_port_connect_result(a->watch.fd);
  if(err)
    return err == MOTE_PORT_AGAIN ? protocol_ssh_agent_wait_for(a, MOTE_WANT_OUT) : CURLE_COULDNT_CONNECT;
  a->stage = LISTING;
  return mote_ssh_agent_put_list(&a->io);
}

static CURLcode list_keys(struct mote_ssh_agent *a)
{
  CURLcode rc = protocol_ssh_agent_ask(a);
  if(rc)
    return rc;
  a->list = a->io;
  mote_buf_init(&a->io, a->account, MOTE_PART_CONN, MOTE_SSH_AGENT_MOST);
  if(!mote_ssh_agent_read_keys((struct mote_slice){a->list.ptr, a->list.len}, &a->keys))
    return CURLE_RECV_ERROR;
  a->stage = TRYING;
  return CURLE_OK;
}

/* libssh2 is called after a failure too, as it has to drop what it keeps for the key. */
static CURLcode sign_on(struct mote_ssh_agent *a)
{
  CURLcode rc = protocol_ssh_agent_ask(a);
  if(rc == CURLE_AGAIN || rc == CURLE_OUT_OF_MEMORY)
    return rc;
  a->stage = rc ? FAILED : ANSWERED;
  return CURLE_OK;
}

static int give_signature(struct mote_ssh *s, struct mote_slice data, unsigned char **sig, size_t *sig_len)
{
  struct mote_ssh_agent *a = s->agent;
  struct mote_slice signature;
  bool good = mote_ssh_agent_read_signature((struct mote_slice){a->io.ptr, a->io.len}, data, &signature);
  a->stage = TRYING;
  *sig = good ? mote_ssh_memory_take(&s->memory, signature.len + 1) : NULL;
  if(*sig) {
    memcpy(*sig, signature.ptr, signature.len);
    *sig_len = signature.len;
  }
  else if(good)
    s->starved = true;
  mote_buf_clear(&a->io);
  return *sig ? 0 : LIBSSH2_ERROR_AGENT_PROTOCOL;
}

static LIBSSH2_USERAUTH_PUBLICKEY_SIGN_FUNC(protocol_ssh_agent_sign)
{
  struct mote_ssh *s = *abstract;
  struct mote_ssh_agent *a = s->agent;
  struct mote_slice all = {(const char *)data, data_len};
  (void)session;
  if(a->stage == ANSWERED)
    return give_signature(s, all, sig, sig_len);
  if(a->stage == FAILED)
    return LIBSSH2_ERROR_AGENT_PROTOCOL;
  mote_buf_clear(&a->io);
  if(mote_ssh_agent_put_sign(&a->io, a->key, all)) {
    s->starved = true;
    return LIBSSH2_ERROR_AGENT_PROTOCOL;
  }
  a->stage = SIGNING;
  return LIBSSH2_ERROR_EAGAIN;
}

/* Tries a key. CURLE_OK: it has let the user in. CURLE_AGAIN with a->key.ptr NULL: the next one follows.
 * CURLE_LOGIN_DENIED: there is none. */
static CURLcode try_key(struct mote_ssh *s, struct mote_slice user)
{
  struct mote_ssh_agent *a = s->agent;
  void *self = s;
  int result;
  if(!a->key.ptr && !mote_ssh_agent_next_key(&a->keys, &a->key))
    return CURLE_LOGIN_DENIED;
  result = libssh2_userauth_publickey(s->session, user.ptr, (const unsigned char *)a->key.ptr, a->key.len,
                                      protocol_ssh_agent_sign, &self);
  if(!result)
    return CURLE_OK;
  if(s->failed || s->starved || result == LIBSSH2_ERROR_ALLOC)
    return s->failed ? s->failed : CURLE_OUT_OF_MEMORY;
  if(result == LIBSSH2_ERROR_EAGAIN)
    return CURLE_AGAIN;
  a->key.ptr = NULL;
  return a->stage == FAILED ? CURLE_LOGIN_DENIED : CURLE_AGAIN;
}

static CURLcode protocol_ssh_agent_step(struct mote_ssh *s, struct mote_slice user)
{
  struct mote_ssh_agent *a = s->agent;
  switch(a->stage) {
  case CONNECTING:
    return connect_on(a);
  case LISTING:
    return list_keys(a);
  case SIGNING:
    return sign_on(a);
  default:
    return try_key(s, user);
  }
}

/* An agent that is not waited for is not watched either, as its end would be reported again and again. */
CURLcode mote_ssh_agent_login(struct mote_transfer *t, struct mote_ssh *s, struct mote_slice user)
{
  CURLcode rc = s->agent ? CURLE_OK : open_agent(t, s);
  s->agent_waits = false;
  while(!rc) {
    bool trying = s->agent->stage == TRYING || s->agent->stage >= ANSWERED;
    rc = protocol_ssh_agent_step(s, user);
    if(trying && !rc)
      return rc;
    if(rc == CURLE_AGAIN && trying && (s->agent->stage == SIGNING || !s->agent->key.ptr))
      rc = CURLE_OK;
    s->agent_waits = rc == CURLE_AGAIN && !trying;
  }
  if(rc == CURLE_AGAIN && !s->agent_waits && mote_watch_want(s->agent->set, &s->agent->watch, 0))
    return CURLE_OUT_OF_MEMORY;
  return rc;
}
