/* protocol/ssh/ssh.h: a connection of SSH (RFC 4251 to 4254) by libssh2, for sftp: and scp: URLs.
 *
 * libssh2 exchanges keys, logs in and carries a channel. What goes through the channel is ours: SFTP
 * (codec/ssh/sftp.h, protocol/sftp/sftp.h) or the lines of SCP (protocol/sftp/scp.c). That way no message
 * costs an allocation, as many are under way as the path needs, whatever CURLOPT_BUFFERSIZE is, and a
 * file's bytes go from the channel to the application through the multi's buffer.
 *
 * libssh2 reads and sends through the connection's layers, so that proxies work. Each call to it may read
 * MOTE_SSH_GATE bytes and then finds nothing more, which bounds what it keeps. What the socket does not take
 * is kept in `unsent`: libssh2 never sees a send that is short, as it could not do anything else before it
 * had repeated it.
 *
 * The agent of SSH_AUTH_SOCK is asked by a client of ours (ssh_agent.c), since libssh2's blocks while it
 * connects, lists the keys and waits for a signature.
 *
 * The greeting is the key exchange, the check of the host's key (ssh_host_key.c), the login (ssh_auth.c) and,
 * for sftp:, the start of SFTP. Its stages (protocol/sftp/sftp_session.c) call libssh2 until that needs no
 * more of the connection.
 *
 * Ownership: the connection owns the state; mote_ssh_discard() frees what it points to.
 * Errors:    CURLE_SSH, CURLE_PEER_FAILED_VERIFICATION, CURLE_LOGIN_DENIED, CURLE_FAILED_INIT,
 *            CURLE_OUT_OF_MEMORY, CURLE_SEND_ERROR, CURLE_RECV_ERROR, with a text in the transfer's report.
 * Threads:   those of the multi. libssh2 has nothing that sessions share.
 * Tests:     tests/e2e/test_sftp.py, tests/e2e/test_ssh_logins.py */
#ifndef MOTE_PROTOCOL_SSH_SSH_H
#define MOTE_PROTOCOL_SSH_SSH_H

#include <libssh2.h>

#include "base/buf.h"
#include "codec/ssh/sftp.h"
#include "net/conn.h"
#include "protocol/conversation.h"
#include "protocol/ssh/ssh_memory.h"
#include "transfer/transfer.h"

struct mote_driver;
struct mote_ssh_agent;

#define MOTE_SSH_GATE 65536u          /* bytes that one call of libssh2 may read, in not too many pieces */
#define MOTE_SSH_UNSENT_MOST 524288u  /* bytes that wait for the socket or the channel; some packets */
#define MOTE_SSH_WINDOW 1048576u      /* bytes that the server may send ahead of the client's reads */
#define MOTE_SSH_PACKET 32768u        /* bytes of a packet of the channel */

enum mote_ssh_stage {
  MOTE_SSH_NEW,
  MOTE_SSH_HANDSHAKE, /* key exchange */
  MOTE_SSH_VERIFY,    /* the host's key is known */
  MOTE_SSH_METHODS,   /* asks in which ways the user may log in */
  MOTE_SSH_KEY,       /* public key in files or memory */
  MOTE_SSH_PASSWORD,
  MOTE_SSH_AGENT,
  MOTE_SSH_KEYBOARD,  /* keyboard-interactive */
  MOTE_SSH_DENIED,    /* none of them has worked */
  MOTE_SSH_CHANNEL,   /* logged in; opens the channel for SFTP */
  MOTE_SSH_SUBSYSTEM,
  MOTE_SSH_VERSION,   /* SFTP's INIT */
  MOTE_SSH_HOME,      /* REALPATH of the directory where the user begins */
  MOTE_SSH_READY,     /* carries exchanges, whose stages follow */
  MOTE_SSH_GONE = 63  /* DISCONNECT is sent */
};

/* The window of a download: requests under way have the identifiers from `due` to just below `next`. */
struct mote_sftp_window {
  uint64_t at;     /* offset that is asked for next */
  uint64_t end;    /* the offset after the last one */
  uint64_t begun;  /* offset of the request that `due` answers */
  uint32_t due;    /* identifier of the answer that comes next */
  uint32_t base;   /* answers to requests below this are passed over */
  uint32_t chunk;  /* bytes of a request */
  uint32_t most;   /* requests under way at once */
  uint32_t got;    /* bytes of the answer that comes now */
};

/* One exchange; zero when it begins. */
struct mote_sftp {
  uint8_t substage;      /* of a quoted command */
  bool upload : 1;
  bool head : 1;         /* CURLOPT_NOBODY */
  bool listing : 1;      /* the URL names a directory */
  bool source_over : 1;  /* an upload has read all of its source; SCP: has said so */
  bool made : 1;         /* the directories of an upload were made */
  bool over : 1;         /* a directory has no more names */
  bool disorder : 1;     /* answers come in another order than the requests */
  uint16_t made_to;      /* bytes of the path whose directories were made */
  uint32_t id;           /* of the request whose answer is due */
  uint32_t pending;      /* WRITEs that are not acknowledged yet */
  uint16_t handle_len;   /* bytes, 0: nothing is open */
  CURLcode result;       /* of an exchange that fails as soon as its file is closed */
  curl_off_t size;       /* of the file, -1: unknown */
  curl_off_t from;       /* the first byte that is transferred */
  curl_off_t left;       /* bytes that are still to come, -1: until the end */
  struct curl_slist *quote; /* the command that comes next; borrowed */
  struct mote_sftp_attrs attrs; /* of a quoted command */
  struct mote_sftp_window window;
  char handle[MOTE_SFTP_HANDLE_MOST];
};

struct mote_ssh {
  struct mote_talk talk;
  LIBSSH2_SESSION *session; /* NULL before HANDSHAKE */
  LIBSSH2_CHANNEL *channel; /* of SFTP, or of one file by SCP; or NULL */
  struct mote_ssh_agent *agent; /* in the stage AGENT, or NULL */
  struct mote_conn *conn;
  struct mote_ssh_memory memory;
  struct mote_buf unsent; /* wire bytes that the socket has not taken */
  struct mote_buf queued; /* bytes for the channel whose window is full */
  struct mote_buf held;   /* bytes of the channel that were received and not used */
  const void *answer;     /* what keyboard-interactive answers, during that call */
  struct mote_buf names;  /* of a directory, until they are delivered */
  uint32_t names_at;      /* bytes of them that were */
  struct mote_buf home;   /* the directory where the user begins; empty for SCP */
  uint32_t gate;          /* bytes that libssh2 may still read in this call */
  uint32_t next_id;       /* of SFTP's requests */
  CURLcode failed;        /* of the connection's layers, in a call of libssh2 */
  bool gated : 1;         /* the gate has held bytes back */
  bool dry : 1;           /* nothing more can be read in this call */
  bool closing : 1;       /* nothing is sent or received any more */
  bool starved : 1;       /* libssh2 was refused memory in this call */
  bool exchanging : 1;    /* libssh2 is in the middle of the key exchange */
  bool agent_waits : 1;   /* the agent is waited for, not the server */
  bool spun : 1;          /* libssh2 was in a loop without end: the connection is over */
  uint16_t asked;         /* times that libssh2 has asked in vain in this call */
  uint8_t methods;        /* CURLSSH_AUTH_* that the server offers */
  uint8_t tried;          /* those of them that the agent or the keyboard have been asked for */
  struct mote_sftp_in in;
  struct mote_sftp sftp;
};

static inline struct mote_ssh *mote_ssh_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* ---- ssh_wire.c ---- */

/* Makes the session. CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT. */
CURLcode mote_ssh_open(struct mote_transfer *t, struct mote_ssh *s);
/* Offers of the methods of a kind (LIBSSH2_METHOD_) only those of a list that libssh2 has, in this order.
 * CURLE_OUT_OF_MEMORY; CURLE_SSH: it has none of them. All that it has are then offered as before. */
CURLcode mote_ssh_prefer(struct mote_ssh *s, int kind, const char *list);
/* Prepares for a call of libssh2 that may read. */
void mote_ssh_enter(struct mote_ssh *s);
/* Returns what a result of libssh2, below 0, means: CURLE_AGAIN, or `otherwise` after a text that begins with
 * `what`, unless the connection is at fault or memory has run out. */
CURLcode mote_ssh_judge(struct mote_transfer *t, struct mote_ssh *s, int result, CURLcode otherwise,
                        const char *what);
/* Waits for the connection, after a call that reads has found nothing more. CURLE_AGAIN,
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_ssh_wait(struct mote_transfer *t, struct mote_ssh *s);
/* Sends what waits. CURLE_OK: nothing does any more. CURLE_AGAIN: some does. */
CURLcode mote_ssh_flush(struct mote_transfer *t, struct mote_ssh *s);
/* Sends bytes by the channel, or queues them. CURLE_AGAIN: some are queued; they count as sent. */
CURLcode mote_ssh_put(struct mote_transfer *t, struct mote_ssh *s, const char *bytes, size_t len);
/* Receives from the channel. CURLE_OK with *n == 0: the server has ended it. */
CURLcode mote_ssh_get(struct mote_transfer *t, struct mote_ssh *s, char *room, size_t size, size_t *n);
/* struct mote_driver */
CURLcode mote_ssh_goodbye(struct mote_conn *c);
void mote_ssh_discard(struct mote_conn *c);

/* ---- ssh_host_key.c ---- */

/* Offers only the types of host keys that the file of known hosts has for the server, unless it has none, or
 * CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256 or _MD5 says which key it is. With a key of another type a server would
 * pass for one that is unknown. CURLE_OUT_OF_MEMORY; CURLE_SSH: libssh2 has none of the types. */
CURLcode mote_ssh_prefer_known(struct mote_transfer *t, struct mote_ssh *s);
mote_talk_ask mote_ssh_verify;

/* ---- ssh_auth.c: the stages METHODS to DENIED ---- */
mote_talk_ask mote_ssh_methods, mote_ssh_key, mote_ssh_password, mote_ssh_agent, mote_ssh_keyboard,
  mote_ssh_denied;

/* ---- ssh_agent.c ---- */

/* Logs in with one of the agent's keys; user has a NUL. CURLE_OK: the user is in. CURLE_AGAIN. The
 * connection's error or CURLE_OUT_OF_MEMORY. Any other: there is no agent, or no key of its that fits. */
CURLcode mote_ssh_agent_login(struct mote_transfer *t, struct mote_ssh *s, struct mote_slice user);
/* Closes the connection to the agent, if there is one. */
void mote_ssh_agent_close(struct mote_ssh *s);

extern const struct mote_driver mote_ssh_driver;

#endif
