/* tests/unit/stream/test_tunnel.c: the layer of CONNECT, over one that takes and gives a few bytes at a time.
 * Needs accounts. */
#include "stream/tunnel.h"

#include "base/report.h"

#include "wire.h"

#define FIRST "CONNECT a:1 HTTP/1.1\r\n\r\n"
#define SECOND "CONNECT a:1 HTTP/1.1\r\nL: x\r\n\r\n"
#define OPENED "HTTP/1.1 200 ok\r\nA: b\r\n\r\n"
#define ASKED "HTTP/1.1 407 no\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 3\r\n\r\nabc"
#define CHUNKED "HTTP/1.1 407 no\r\nProxy-Authenticate: Basic\r\nTransfer-Encoding: chunked\r\n\r\n"
#define GATE "\1" /* what follows comes after the second request */

static char seen[600]; /* by the observer */
static CURLcode observed;

static size_t ready(void)
{
  if(wire.answers[wire.used] == GATE[0] && wire.sent_len > strlen(FIRST))
    wire.used++;
  return strcspn(wire.answers + wire.used, GATE);
}

static CURLcode observe(struct mote_stream_observer *o, const char *line, size_t len)
{
  (void)o;
  if(strlen(seen) + len < sizeof seen)
    strncat(seen, line, len);
  return observed;
}

static struct mote_stream_observer observer = {observe};

/* ---- the client answers "Basic" ---- */

static struct helper {
  struct mote_tunnel_client client;
  bool basic;    /* the challenge has it */
  unsigned most; /* requests that are left to send */
} helper;

static CURLcode read_challenge(struct mote_tunnel_client *c, struct mote_slice value)
{
  (void)c;
  helper.basic = helper.basic || (value.len >= 5 && mote_equal_nocase_n(value.ptr, "basic", 5));
  return CURLE_OK;
}

static bool is_answered(struct mote_tunnel_client *c)
{
  (void)c;
  return helper.basic && helper.most;
}

static CURLcode ask_again(struct mote_tunnel_client *c, struct mote_tunnel_head *head)
{
  (void)c;
  helper.basic = false;
  helper.most--;
  return mote_buf_add_str(&head->text, SECOND);
}

static unsigned many; /* requests that the client sends, or 0: one at most */
static bool lost;     /* after the handshake */

/* Runs the handshake, and then reads what is left into rest. */
static CURLcode run(const char *answers, size_t piece, bool second, char rest[20], unsigned *status)
{
  struct mote_tunnel_head head;
  struct mote_stream *s;
  bool done = false;
  size_t n = 0;
  CURLcode rc;
  wire_begin(answers, strlen(answers), piece, true);
  wire.ready = ready;
  seen[0] = rest[0] = 0;
  *status = 0;
  env.observer = &observer;
  mote_buf_init(&head.text, &account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX);
  mote_buf_init(&head.notes, &account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX);
  rc = mote_buf_add_str(&head.text, FIRST);
  if(rc) {
    mote_buf_close(&head.text);
    return rc;
  }
  rc = mote_tunnel_new(&s, &wire.stream, &env, &head);
  if(rc)
    return rc;
  helper = (struct helper){
    .client = {.challenge = read_challenge, .again = is_answered, .ask = ask_again},
    .most = many ? many : second,
  };
  mote_tunnel_serve(s, &helper.client);
  while(!rc && !done)
    rc = s->ops->handshake(s, &done);
  *status = mote_tunnel_status(s);
  lost = mote_tunnel_is_lost(s);
  while(!rc && s->ops->pending(s) && n < 19) {
    size_t got;
    rc = s->ops->recv(s, rest + n, 3, &got);
    n += rc ? 0 : got;
  }
  rest[n] = 0;
  s->ops->close(s);
  return rc;
}

static const struct {
  const char *answers;
  bool second;
  CURLcode rc;
  unsigned status;
  const char *sent;
  const char *seen; /* NULL: the answers */
} rows[] = {
  {OPENED, false, CURLE_OK, 200, FIRST, NULL},
  {OPENED, true, CURLE_OK, 200, FIRST, NULL},
  {"HTTP/1.0 299\r\n\r\n", false, CURLE_OK, 299, FIRST, NULL},
  {"HTTP/1.1 200 ok\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", false, CURLE_OK, 200, FIRST,
   NULL},
  {"HTTP/1.1 100 wait\r\n\r\n" OPENED, false, CURLE_OK, 200, FIRST, NULL},
  {ASKED GATE OPENED, true, CURLE_OK, 200, FIRST SECOND,
   "HTTP/1.1 407 no\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 3\r\n\r\n" OPENED},
  {"HTTP/1.1 407 no\r\nProxy-Authenticate: other\r\nproxy-authenticate: basic\r\nContent-Length: 0\r\n\r\n"
   GATE OPENED, true, CURLE_OK, 200, FIRST SECOND, ""},
  /* refused */
  {"HTTP/1.1 403 no\r\n\r\n", true, CURLE_COULDNT_CONNECT, 403, FIRST, NULL},
  {ASKED, false, CURLE_COULDNT_CONNECT, 407, FIRST, ""},
  {ASKED GATE ASKED, true, CURLE_COULDNT_CONNECT, 407, FIRST SECOND, ""},
  {"HTTP/1.1 407 no\r\nProxy-Authenticate: Basic\r\n\r\n", true, CURLE_COULDNT_CONNECT, 407, FIRST, NULL},
  {"HTTP/1.1 407 no\r\nProxy-Authenticate: Basic\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", true,
   CURLE_COULDNT_CONNECT, 407, FIRST, NULL},
  {"HTTP/1.1 407 no\r\nProxy-Authenticate: Other\r\nContent-Length: 0\r\n\r\n", true, CURLE_COULDNT_CONNECT,
   407, FIRST, NULL},
  {CHUNKED "3\r\nabc\r\n2;x\r\nde\r\n0\r\nT: r\r\n\r\n" GATE OPENED, true, CURLE_OK, 200, FIRST SECOND, ""},
  {CHUNKED "x\r\n", true, CURLE_WEIRD_SERVER_REPLY, 407, FIRST, ""},
  {CHUNKED "10001\r\nabc", true, CURLE_RECV_ERROR, 407, FIRST, ""},
  {"HTTP/1.1 407 no\r\nProxy-Authenticate: Basic\r\nContent-Length: 65537\r\n\r\n", true,
   CURLE_COULDNT_CONNECT, 407, FIRST, NULL},
  {"HTTP/1.1 101 what\r\n\r\n", false, CURLE_COULDNT_CONNECT, 101, FIRST, NULL},
  {"nothing", false, CURLE_WEIRD_SERVER_REPLY, 0, FIRST, ""},
  {"HTTP/1.1 2000\r\n\r\n", false, CURLE_WEIRD_SERVER_REPLY, 0, FIRST, ""},
  {"HTTP/1.1 200 ok\r\nno colon\r\n\r\n", false, CURLE_WEIRD_SERVER_REPLY, 200, FIRST, ""},
  {"", false, CURLE_RECV_ERROR, 0, FIRST, NULL},
  {"HTTP/1.1 200 ok\r\nA: b\r\n", false, CURLE_RECV_ERROR, 200, FIRST, ""},
};

TEST(handshakes)
{
  size_t i, piece;
  for(i = 0; i < sizeof rows / sizeof *rows; i++)
    for(piece = 1; piece < 200; piece += piece < 9 ? 1 : 60) {
      const char *expected = rows[i].seen ? rows[i].seen : rows[i].answers;
      char rest[20];
      unsigned status;
      bool ok = CHECK_INT(run(rows[i].answers, piece, rows[i].second, rest, &status), rows[i].rc);
      ok = CHECK_INT(status, rows[i].status) && ok;
      ok = CHECK_STR(rest, "") && ok;
      ok = CHECK_MEM(wire.sent, wire.sent_len, rows[i].sent, strlen(rows[i].sent)) && ok;
      if(*expected)
        ok = CHECK_STR(seen, expected) && ok;
      if(!ok)
        fprintf(stderr, "  row %zu by %zu: %s\n", i, piece, rows[i].answers);
    }
}

/* They are the destination's, however they have come. */
TEST(bytes_after_the_head)
{
  char rest[20];
  unsigned status;
  size_t piece;
  for(piece = 30; piece < 60; piece++) {
    CHECK_INT(run(OPENED "220 hello", piece, false, rest, &status), CURLE_OK);
    CHECK_INT(wire.used - strlen(OPENED), strlen(rest));
    CHECK(!strncmp(rest, "220 hello", strlen(rest)));
  }
  CHECK_INT(run(ASKED "x" OPENED, 600, true, rest, &status), CURLE_WEIRD_SERVER_REPLY);
}

/* Such a challenge can be answered on another connection alone. */
TEST(lost_connections)
{
  static const char *const fields[] = {
    "\r\n", "Connection: close\r\nContent-Length: 0\r\n\r\n", "Content-Length: 65537\r\n\r\n",
    "Proxy-Connection: Close\r\nContent-Length: 0\r\n\r\n"
  };
  char rest[20], text[200];
  unsigned status;
  size_t i;
  for(i = 0; i < sizeof fields / sizeof *fields; i++) {
    snprintf(text, sizeof text, "HTTP/1.1 407 no\r\nProxy-Authenticate: Basic\r\n%s", fields[i]);
    CHECK_INT(run(text, 50, true, rest, &status), CURLE_COULDNT_CONNECT);
    CHECK(lost);
    CHECK_INT(run(text, 50, false, rest, &status), CURLE_COULDNT_CONNECT);
    CHECK(!lost);
  }
}

/* A proxy that never has enough is given up. */
TEST(many_challenges)
{
  static const char one[] = "HTTP/1.1 407 no\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n";
  char text[20 * sizeof one] = "", rest[20];
  unsigned status;
  int i;
  for(i = 0; i < 20; i++)
    strcat(text, one);
  many = 20;
  CHECK_INT(run(text, strlen(one), true, rest, &status), CURLE_COULDNT_CONNECT);
  CHECK_INT(helper.most, 12);
  many = 0;
}

TEST(observer_ends_it)
{
  char rest[20];
  unsigned status;
  observed = CURLE_WRITE_ERROR;
  CHECK_INT(run(OPENED, 9, false, rest, &status), CURLE_WRITE_ERROR);
  observed = CURLE_OK;
}

static void scenario(void)
{
  char rest[20];
  unsigned status;
  CURLcode rc = run(ASKED GATE OPENED, 40, true, rest, &status);
  CHECK(!rc || rc == CURLE_OUT_OF_MEMORY);
}

TEST(allocations)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(handshakes);
  TEST_RUN(bytes_after_the_head);
  TEST_RUN(lost_connections);
  TEST_RUN(many_challenges);
  TEST_RUN(observer_ends_it);
  TEST_RUN(allocations);
  return test_end();
}
