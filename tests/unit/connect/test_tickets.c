/* tests/unit/connect/test_tickets.c: whose TLS sessions get the tickets of a connection with many transfers.
 * Needs accounts. Needs openssl. links: ssl crypto */
#include "transfer/channel.h"
#include "transfer/protocol.h"

#include "connect/dial/dial.h"
#include "connect/dial/dial_phases.h"
#include "engine/multi.h"
#include "net/conn.h"
#include "net/conn_struct.h"

#include "transfer/subject.h"

#include "tls/peer.h"
#include "tls/pki.h"

static unsigned room(const struct mote_drive *d)
{
  return 10 - d->channels;
}

static const struct mote_driver many = {.name = "many", .size = sizeof(struct mote_drive), .room = room};
static const struct mote_protocol protocol = {.name = "test", .driver = &many};
static const struct mote_scheme scheme = {.name = "test", .protocol = &protocol};

static struct mote_account account;
static struct mote_conn *conn;
/* Each has a multi of its own, and so sessions of its own. */
static struct subject subjects[2];
static struct mote_multi multis[2];

/* A transfer that dials a connection, whose TLS layer is set up. */
static void begin(void)
{
  struct mote_tls_config cfg = trusting();
  struct mote_conn_plan plan = {.key = "k", .key_len = 1, .driver = &many};
  int i;
  for(i = 0; i < 2; i++) {
    mote_multi_setup(&multis[i]);
    subject_begin(&subjects[i], "http");
    subjects[i].t.multi = &multis[i];
    subjects[i].t.state = MOTE_STATE_CONNECTING;
    subjects[i].run.request.scheme = &scheme;
  }
  memset(&account, 0, sizeof account);
  CHECK_INT(mote_conn_new(&conn, &account, &plan), CURLE_OK);
  CHECK_INT(mote_dial_begin(&subjects[0].t, conn), CURLE_OK);
  server_open(&leaf, NULL);
  CHECK_INT(client_connect(&cfg, "localhost", NULL), CURLE_OK);
  client.tls->below = &wire.stream;
  conn->top = client.tls;
  mote_connect_use_sessions(&subjects[0].t, conn);
}

static void leave(int i)
{
  mote_dial_leave(&subjects[i].t);
  mote_multi_close(&multis[i]);
  subjects[i].t.multi = NULL;
  subject_end(&subjects[i]);
  memset(&subjects[i], 0x5a, sizeof subjects[i]); /* nothing may use it any more */
  memset(&multis[i], 0x5a, sizeof multis[i]);
}

static void end_all(void)
{
  mote_drive_end(conn);
  conn->top = &conn->tcp.stream; /* the layer is the client's */
  mote_conn_close(conn, false);
  CHECK_ACCOUNT(&account);
  client_close();
  server_close();
  mote_tls_cleanup();
}

static void send_ticket(void)
{
  CHECK_INT(SSL_new_session_ticket(server.ssl), 1);
  CHECK_INT(SSL_do_handshake(server.ssl), 1);
  server_flush();
}

/* The driver reads for this transfer, or for none. */
static void read_for(struct mote_transfer *t)
{
  char buf[64];
  size_t n;
  CHECK_INT(mote_channel_receive(conn, t, buf, sizeof buf, &n), CURLE_AGAIN);
}

static void dial_ends(int i)
{
  struct mote_dial *d = (struct mote_dial *)conn->drive;
  d->phase = MOTE_DIAL_GREETING;
  CHECK_INT(mote_dial_step(&subjects[i].t, 1), CURLE_OK);
  CHECK(conn->drive->driver == &many);
}

/* The handle may be gone when a ticket comes. */
TEST(owner_of_the_dial_gets_none_after_it_has_left)
{
  begin();
  dial_ends(0);
  leave(0);
  read_for(NULL); /* those of the handshake too */
  CHECK_INT(multis[1].sessions.count, 0);
  send_ticket();
  read_for(&subjects[1].t);
  CHECK_INT(multis[1].sessions.count, 1);
  leave(1);
  send_ticket();
  read_for(NULL);
  end_all();
}

TEST(new_owner_of_a_dial_gets_them)
{
  begin();
  CHECK_INT(mote_dial_join(&subjects[1].t, conn), CURLE_OK);
  leave(0);
  CHECK(((struct mote_dial *)conn->drive)->owner == &subjects[1].t);
  read_for(NULL); /* which changes nothing while the dial lasts */
  CHECK_INT(multis[1].sessions.count, 2);
  dial_ends(1);
  send_ticket();
  read_for(NULL);
  CHECK_INT(multis[1].sessions.count, 2);
  leave(1);
  end_all();
}

int main(void)
{
  make_dir();
  pki_make();
  TEST_RUN(owner_of_the_dial_gets_none_after_it_has_left);
  TEST_RUN(new_owner_of_a_dial_gets_them);
  pki_free();
  return test_end();
}
