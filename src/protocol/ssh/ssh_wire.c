/* protocol/ssh/ssh_wire.c: what lies between libssh2 and the connection: memory, bytes and errors
 * (protocol/ssh/ssh.h). */
#include <errno.h>
#include <string.h>

#include "net/conn_struct.h"
#include "net/driver.h"
#include "port/lock.h"
#include "protocol/ssh/ssh.h"
#include "transfer/pump/pump.h"

#define ASKED_FEW 8    /* times that libssh2 may ask for bytes that are not there in one call of ours */
#define ASKED_MOST 500 /* then it is in a loop of its own */
#define READ_LEAST 64u /* bytes that a read counts as at least: libssh2 reads the lines before a server's
                          version byte by byte, and a call of the system costs as much as those */
#define METHODS_ROOM 256 /* bytes of a list of methods, with its NUL */
#define FREE_TRIES 16 /* libssh2 may want to be asked again while it frees a session */

/* ---- what libssh2 calls ---- */

/* libssh2 reports other errors than LIBSSH2_ERROR_ALLOC too when memory has run out. */
static void *or_starved(struct mote_ssh *s, void *p)
{
  if(!p)
    s->starved = true;
  return p;
}

static LIBSSH2_ALLOC_FUNC(ssh_wire_take)
{
  struct mote_ssh *s = *abstract;
  return or_starved(s, mote_ssh_memory_take(&s->memory, count));
}

static LIBSSH2_REALLOC_FUNC(ssh_wire_resize)
{
  struct mote_ssh *s = *abstract;
  return or_starved(s, mote_ssh_memory_resize(&s->memory, ptr, count));
}

static LIBSSH2_FREE_FUNC(ssh_wire_put)
{
  struct mote_ssh *s = *abstract;
  mote_ssh_memory_put(&s->memory, ptr);
}

/* libssh2 asks again and again without returning while it frees the channel of a file that is not there. The
 * socket is looked at a few times for it. Then the connection is over, so that the loop ends. */
static ssize_t still_dry(struct mote_ssh *s)
{
  if(++s->asked <= ASKED_MOST)
    return -EAGAIN;
  s->spun = true;
  return -ECONNRESET;
}

static uint32_t ssh_wire_at_most(uint32_t n, uint32_t most)
{
  return n < most ? n : most;
}

static LIBSSH2_RECV_FUNC(ssh_wire_receive)
{
  struct mote_ssh *s = *abstract;
  size_t n, most = length < s->gate ? length : s->gate;
  CURLcode rc;
  (void)socket;
  (void)flags;
  if(s->closing)
    return -ECONNRESET;
  if(s->dry && s->asked < ASKED_FEW)
    return still_dry(s);
  if(!most) {
    s->gated = true;
    return still_dry(s);
  }
  rc = mote_conn_receive(s->conn, buffer, most, &n);
  if(rc == CURLE_AGAIN) {
    s->dry = true;
    return still_dry(s);
  }
  if(rc || !n)
    s->failed = rc ? rc : CURLE_RECV_ERROR;
  s->gate -= n < READ_LEAST ? ssh_wire_at_most(READ_LEAST, s->gate) : (uint32_t)n;
  return rc ? -ECONNRESET : (ssize_t)n;
}

static CURLcode send_unsent(struct mote_ssh *s)
{
  size_t n;
  CURLcode rc = mote_pump_push(s->conn, s->unsent.ptr, s->unsent.len, &n);
  mote_buf_drop(&s->unsent, n);
  return rc;
}

static LIBSSH2_SEND_FUNC(ssh_wire_transmit)
{
  struct mote_ssh *s = *abstract;
  size_t n = 0;
  CURLcode rc = s->unsent.len ? CURLE_AGAIN : CURLE_OK;
  (void)socket;
  (void)flags;
  if(s->closing)
    return -ECONNRESET;
  if(!rc)
    rc = mote_conn_send(s->conn, buffer, length, &n);
  if(rc == CURLE_AGAIN)
    rc = CURLE_OK;
  if(!rc && n < length)
    rc = mote_buf_add(&s->unsent, (const char *)buffer + n, length - n);
  if(!rc)
    return (ssize_t)length;
  s->failed = rc;
  return -ECONNRESET;
}

/* ---- a session ---- */

/* The prototypes of the functions that this one takes differ, and libssh2 casts them back. */
static void set_callback(struct mote_ssh *s, int which, void (*fn)(void))
{
  union {
    void (*fn)(void);
    void *ptr;
  } as = {.fn = fn};
  (void)libssh2_session_callback_set(s->session, which, as.ptr);
}

static void init_buffers(struct mote_ssh *s, struct mote_account *account)
{
  mote_buf_init(&s->unsent, account, MOTE_PART_CONN, MOTE_SSH_UNSENT_MOST);
  mote_buf_init(&s->queued, account, MOTE_PART_CONN, MOTE_SSH_UNSENT_MOST);
  mote_buf_init(&s->held, account, MOTE_PART_CONN, MOTE_HELD_LIMIT);
  mote_buf_init(&s->names, account, MOTE_PART_CONN, MOTE_SSH_UNSENT_MOST);
  mote_buf_init(&s->home, account, MOTE_PART_CONN, MOTE_SFTP_UNIT);
}

/* The first session of a process initialises libssh2, which has no lock for that. */
static struct mote_mutex first_session = MOTE_MUTEX_INIT;

CURLcode mote_ssh_open(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_conn *c = t->run->channel.conn;
  s->conn = c;
  init_buffers(s, c->env.account);
  mote_ssh_memory_init(&s->memory, c->env.account);
  mote_port_lock(&first_session);
  s->session = libssh2_session_init_ex(ssh_wire_take, ssh_wire_put, ssh_wire_resize, s);
  mote_port_unlock(&first_session);
  if(!s->session) {
    mote_fail(&t->report, "An SSH session cannot be made");
    return s->starved ? CURLE_OUT_OF_MEMORY : CURLE_FAILED_INIT;
  }
  set_callback(s, LIBSSH2_CALLBACK_RECV, (void (*)(void))ssh_wire_receive);
  set_callback(s, LIBSSH2_CALLBACK_SEND, (void (*)(void))ssh_wire_transmit);
  libssh2_session_set_blocking(s->session, 0);
  return CURLE_OK;
}

static bool ssh_wire_is_known(struct mote_slice name, const char *const *known, int count)
{
  int i;
  for(i = 0; i < count; i++)
    if(!strncmp(known[i], name.ptr, name.len) && !known[i][name.len])
      return true;
  return false;
}

/* Copies those names of a name-list (RFC 4251 section 5) that libssh2 knows. */
static void copy_known(char *to, const char *list, const char *const *known, int count)
{
  const char *begin = to;
  while(*list) {
    struct mote_slice name = {list, strcspn(list, ",")};
    list += name.len + (list[name.len] == ',');
    if(!ssh_wire_is_known(name, known, count))
      continue;
    if(to > begin)
      *to++ = ',';
    memcpy(to, name.ptr, name.len);
    to += name.len;
  }
  *to = 0;
}

/* libssh2 1.10 itself leaves out of a list what it does not have, but moves the rest with memcpy(), over
 * itself. So it gets only names that it has. */
CURLcode mote_ssh_prefer(struct mote_ssh *s, int kind, const char *list)
{
  char wanted[METHODS_ROOM] = "";
  const char **known;
  int count;
  s->starved = false;
  count = libssh2_session_supported_algs(s->session, kind, &known);
  if(count > 0 && strlen(list) < sizeof wanted)
    copy_known(wanted, list, (const char *const *)known, count);
  if(count > 0)
    libssh2_free(s->session, (void *)known);
  if(*wanted && !libssh2_session_method_pref(s->session, kind, wanted))
    return CURLE_OK;
  return s->starved ? CURLE_OUT_OF_MEMORY : CURLE_SSH;
}

void mote_ssh_enter(struct mote_ssh *s)
{
  s->gate = MOTE_SSH_GATE;
  s->gated = false;
  s->dry = false;
  s->starved = false;
  s->asked = 0;
}

CURLcode mote_ssh_judge(struct mote_transfer *t, struct mote_ssh *s, int result, CURLcode otherwise,
                        const char *what)
{
  char *why = NULL;
  if(result == LIBSSH2_ERROR_EAGAIN && !s->failed)
    return CURLE_AGAIN;
  (void)libssh2_session_last_error(s->session, &why, NULL, 0);
  mote_fail(&t->report, "%s: %s", what, why && *why ? why : "unknown error");
  if(result == LIBSSH2_ERROR_ALLOC || s->starved || s->failed == CURLE_OUT_OF_MEMORY)
    return CURLE_OUT_OF_MEMORY;
  return s->failed ? s->failed : otherwise;
}

CURLcode mote_ssh_wait(struct mote_transfer *t, struct mote_ssh *s)
{
  unsigned interest;
  if(s->gated && !s->agent_waits) {
    mote_conn_look_again(s->conn);
    mote_transfer_wake(t);
    return CURLE_AGAIN;
  }
  mote_conn_clear_events(s->conn);
  interest = (s->agent_waits ? 0 : MOTE_WANT_IN) | (s->unsent.len ? MOTE_WANT_OUT : 0);
  return mote_conn_want(s->conn, interest) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
}

/* ---- the channel ---- */

/* Returns how many bytes the channel has taken, below 0: libssh2's error. It is not let in to read, so that
 * what the server sends comes by mote_ssh_get() alone, and an event comes for it. */
static ssize_t write_some(struct mote_ssh *s, const char *bytes, size_t len)
{
  size_t done = 0;
  ssize_t n = 1;
  s->dry = true;
  s->starved = false;
  while(n > 0 && done < len) {
    s->asked = 0;
    n = libssh2_channel_write(s->channel, bytes + done, len - done);
    if(n > 0)
      done += (size_t)n;
  }
  s->dry = false;
  return n < 0 && n != LIBSSH2_ERROR_EAGAIN ? n : (ssize_t)done;
}

CURLcode mote_ssh_flush(struct mote_transfer *t, struct mote_ssh *s)
{
  CURLcode rc = send_unsent(s);
  ssize_t n;
  if(rc || !s->queued.len)
    return rc;
  n = write_some(s, s->queued.ptr, s->queued.len);
  if(n < 0)
    return mote_ssh_judge(t, s, (int)n, CURLE_SEND_ERROR, "Sending by SSH has failed");
  mote_buf_drop(&s->queued, (size_t)n);
  return s->queued.len || s->unsent.len ? CURLE_AGAIN : CURLE_OK;
}

CURLcode mote_ssh_put(struct mote_transfer *t, struct mote_ssh *s, const char *bytes, size_t len)
{
  ssize_t n = s->queued.len ? 0 : write_some(s, bytes, len);
  CURLcode rc;
  if(n < 0)
    return mote_ssh_judge(t, s, (int)n, CURLE_SEND_ERROR, "Sending by SSH has failed");
  if((size_t)n == len)
    return CURLE_OK;
  rc = mote_buf_add(&s->queued, bytes + n, len - (size_t)n);
  return rc ? rc : CURLE_AGAIN;
}

/* While libssh2 has enough of the channel's bytes it is not let in to read more. */
CURLcode mote_ssh_get(struct mote_transfer *t, struct mote_ssh *s, char *room, size_t size, size_t *n)
{
  unsigned long there = 0;
  ssize_t got;
  mote_ssh_enter(s);
  (void)libssh2_channel_window_read_ex(s->channel, &there, NULL);
  s->dry = there >= size;
  got = libssh2_channel_read(s->channel, room, size);
  *n = got > 0 ? (size_t)got : 0;
  if(got > 0)
    return CURLE_OK;
  if(!got && libssh2_channel_eof(s->channel))
    return CURLE_OK;
  return mote_ssh_judge(t, s, got ? (int)got : LIBSSH2_ERROR_EAGAIN, CURLE_RECV_ERROR,
                        "Receiving by SSH has failed");
}

/* ---- the end ---- */

/* libssh2's DISCONNECT is sent at once, or kept as other bytes are. */
CURLcode mote_ssh_goodbye(struct mote_conn *c)
{
  struct mote_ssh *s = mote_conn_state(c);
  CURLcode rc;
  if(s->talk.stage >= MOTE_SSH_READY && s->talk.stage != MOTE_SSH_GONE && s->session) {
    s->talk.stage = MOTE_SSH_GONE;
    mote_ssh_enter(s);
    (void)libssh2_session_disconnect(s->session, "");
  }
  if(s->talk.stage != MOTE_SSH_GONE || s->failed)
    return CURLE_SEND_ERROR;
  rc = send_unsent(s);
  if(rc == CURLE_AGAIN && mote_conn_want(c, MOTE_WANT_OUT))
    return CURLE_OUT_OF_MEMORY;
  return rc;
}

void mote_ssh_discard(struct mote_conn *c)
{
  struct mote_ssh *s = mote_conn_state(c);
  int tries;
  if(!s->conn)
    return;
  s->closing = true;
  if(s->exchanging) /* only this call frees the keys of the exchange */
    (void)libssh2_session_handshake(s->session, mote_conn_fd(c));
  mote_ssh_agent_close(s);
  for(tries = 0; s->session && tries < FREE_TRIES; tries++)
    if(libssh2_session_free(s->session) != LIBSSH2_ERROR_EAGAIN)
      s->session = NULL;
  mote_ssh_memory_close(&s->memory);
  mote_buf_close(&s->unsent);
  mote_buf_close(&s->queued);
  mote_buf_close(&s->held);
  mote_buf_close(&s->names);
  mote_buf_close(&s->home);
}

const struct mote_driver mote_ssh_driver = {
  .name = "ssh", .goodbye = mote_ssh_goodbye, .discard = mote_ssh_discard,
};
