/* tests/unit/codec/test_socks.c: messages and answers of SOCKS handshakes (codec/socks/socks.h). The
 * messages are those that curl 7.88.1 and 8.23 send. needs: src/codec/socks/socks.c */
#include "codec/socks/socks.h"

#include "test.h"

/* One handshake: the answers are fed in pieces of `piece` bytes. */
struct talk {
  struct mote_socks s;
  struct mote_socks_request r;
  uint8_t sent[4 * MOTE_SOCKS_MAX_MESSAGE];
  size_t sent_len;
  CURLproxycode code;
};

static struct mote_slice text_of(const char *s)
{
  struct mote_slice slice = {s, strlen(s)};
  return slice;
}

/* Runs the handshake until it is over, fails or lacks answers. Returns the bytes that were used. */
static size_t run(struct talk *t, const char *answers, size_t len, size_t piece)
{
  size_t used = 0;
  t->sent_len = 0;
  t->code = mote_socks_init(&t->s, &t->r);
  while(!t->code && !mote_socks_done(&t->s)) {
    size_t n = mote_socks_message(&t->s, &t->r, t->sent + t->sent_len);
    size_t missing = mote_socks_missing(&t->s);
    if(mote_socks_wants_gss(&t->s)) {
      CHECK(!n && !missing);
      mote_socks_gss_done(&t->s);
      continue;
    }
    CHECK((n != 0) != (missing != 0));
    if(n) {
      t->sent_len += n;
      mote_socks_sent(&t->s);
      continue;
    }
    n = missing < piece ? missing : piece;
    n = n < len - used ? n : len - used;
    if(!n)
      break;
    t->code = mote_socks_feed(&t->s, (const uint8_t *)answers + used, n);
    used += n;
  }
  return used;
}

#define RUN(t, answers, piece) run((t), (answers), sizeof(answers) - 1, (piece))
#define SENT(t, bytes) CHECK_MEM((const char *)(t)->sent, (t)->sent_len, (bytes), sizeof(bytes) - 1)

static void address(struct talk *t, uint8_t family)
{
  t->r.address.family = family;
  memcpy(t->r.address.ip, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07", 16);
  if(family == MOTE_FAMILY_IP4)
    memcpy(t->r.address.ip, "\xc0\0\2\1", 4);
}

TEST(socks4)
{
  struct talk t = {.r = {.version = 4, .port = 81}};
  address(&t, MOTE_FAMILY_IP4);
  CHECK_INT(RUN(&t, "\0\x5a\1\2\3\4\5\6more", 99), 8);
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\4\1\0\x51\xc0\0\2\1\0");
  t.r.user = text_of("me");
  t.r.password = text_of("not sent");
  RUN(&t, "\0\x5a\1\2\3\4\5\6", 1);
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\4\1\0\x51\xc0\0\2\1me\0");
}

TEST(socks4a)
{
  struct talk t = {.r = {.version = 4, .port = 0x1234, .user = {"me", 2}}};
  t.r.host = text_of("a.test");
  RUN(&t, "\0\x5a\1\2\3\4\5\6", 3);
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\4\1\x12\x34\0\0\0\1me\0a.test\0");
}

TEST(socks4_refusals)
{
  static const struct {
    uint8_t answer[8];
    CURLproxycode code;
  } rows[] = {
    {{0, 91}, CURLPX_REQUEST_FAILED},
    {{0, 92}, CURLPX_IDENTD},
    {{0, 93}, CURLPX_IDENTD_DIFFER},
    {{0, 94}, CURLPX_UNKNOWN_FAIL},
    {{0, 0}, CURLPX_UNKNOWN_FAIL},
    {{1, 90}, CURLPX_BAD_VERSION},
    {{'H', 'T', 'T', 'P'}, CURLPX_BAD_VERSION},
  };
  struct talk t = {.r = {.version = 4, .port = 81, .host = {"a.test", 6}}};
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    CHECK_INT(run(&t, (const char *)rows[i].answer, 8, 8), 8);
    CHECK_INT(t.code, rows[i].code);
  }
}

TEST(socks5_destinations)
{
  struct talk t = {.r = {.version = 5, .port = 81, .host = {"a.test", 6}}};
  CHECK_INT(RUN(&t, "\5\0\5\0\0\1\1\2\3\4\5\6more", 99), 12);
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\5\1\0\5\1\0\3\6a.test\0\x51");
  address(&t, MOTE_FAMILY_IP4);
  RUN(&t, "\5\0\5\0\0\1\1\2\3\4\5\6", 1);
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\5\1\0\5\1\0\1\xc0\0\2\1\0\x51");
  address(&t, MOTE_FAMILY_IP6);
  RUN(&t, "\5\0\5\0\0\1\1\2\3\4\5\6", 5);
  SENT(&t, "\5\1\0\5\1\0\4\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07\0\x51");
}

/* The length of the last answer follows from the type of its address; no byte after it is used. */
TEST(socks5_answers)
{
  char longest[2 + 5 + 255 + 2 + 3] = "\5\0\5\0\0\3\xff";
  struct talk t = {.r = {.version = 5, .port = 81, .host = {"a.test", 6}}};
  size_t piece;
  for(piece = 1; piece < 9; piece++) {
    CHECK_INT(RUN(&t, "\5\0\5\0\0\3\5hello\0\1HTTP", piece), 2 + 4 + 1 + 5 + 2);
    CHECK(mote_socks_done(&t.s));
    CHECK_INT(RUN(&t, "\5\0\5\0\0\3\0\0\1HTTP", piece), 2 + 4 + 1 + 2);
    CHECK(mote_socks_done(&t.s));
    CHECK_INT(RUN(&t, "\5\0\5\0\0\4" "0123456789abcdef\0\1HTTP", piece), 2 + 4 + 16 + 2);
    CHECK(mote_socks_done(&t.s));
    CHECK_INT(run(&t, longest, sizeof longest, piece), sizeof longest - 3);
    CHECK(mote_socks_done(&t.s));
    RUN(&t, "\5\0\5\0\0\4" "0123456789abcdef\0", piece);
    CHECK(!mote_socks_done(&t.s));
    CHECK_INT(mote_socks_missing(&t.s), 1);
  }
}

TEST(socks5_login)
{
  struct talk t = {.r = {.version = 5, .port = 81, .host = {"a.test", 6}, .login = true}};
  t.r.user = text_of("me");
  t.r.password = text_of("pw");
  RUN(&t, "\5\2\1\0\5\0\0\1\1\2\3\4\5\6", 1);
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\5\2\0\2\1\2me\2pw\5\1\0\3\6a.test\0\x51");
  RUN(&t, "\5\0\5\0\0\1\1\2\3\4\5\6", 1); /* not asked for */
  SENT(&t, "\5\2\0\2\5\1\0\3\6a.test\0\x51");
  t.r.password.len = 0;
  RUN(&t, "\5\2\5\0\5\0\0\1\1\2\3\4\5\6", 1); /* the proxy answers with its own version */
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\5\2\0\2\1\2me\0\5\1\0\3\6a.test\0\x51");
}

/* The caller's login is between the methods and the request. */
TEST(socks5_gss)
{
  struct talk t = {.r = {.version = 5, .port = 81, .host = {"a.test", 6}, .gss = true}};
  RUN(&t, "\5\1\5\0\0\1\1\2\3\4\5\6", 1);
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\5\2\0\1\5\1\0\3\6a.test\0\x51");
  RUN(&t, "\5\1", 1);
  CHECK(!mote_socks_done(&t.s));
  t.r.login = true;
  t.r.user = text_of("me");
  RUN(&t, "\5\2\1\0\5\0\0\1\1\2\3\4\5\6", 1); /* the proxy prefers the password */
  SENT(&t, "\5\3\0\1\2\1\2me\0\5\1\0\3\6a.test\0\x51");
}

/* CURLAUTH_ONLY: going without a login is not offered, and is not taken either. */
TEST(socks5_must_login)
{
  struct talk t = {.r = {.version = 5, .port = 81, .host = {"a.test", 6}, .must_login = true}};
  CHECK_INT(mote_socks_init(&t.s, &t.r), CURLPX_NO_AUTH);
  t.r.gss = true;
  RUN(&t, "\5\0", 1);
  CHECK_INT(t.code, CURLPX_NO_AUTH);
  SENT(&t, "\5\1\1");
  t.r.gss = false;
  t.r.login = true;
  t.r.user = text_of("me");
  RUN(&t, "\5\2\1\0\5\0\0\1\1\2\3\4\5\6", 1);
  CHECK(mote_socks_done(&t.s));
  SENT(&t, "\5\1\2\1\2me\0\5\1\0\3\6a.test\0\x51");
  t.r.version = 4;
  t.r.host.len = 0;
  t.r.address.family = MOTE_FAMILY_IP4;
  CHECK_INT(mote_socks_init(&t.s, &t.r), CURLPX_OK);
}

TEST(socks5_refusals)
{
  static const struct {
    char answers[8];
    size_t len;
    bool login;
    CURLproxycode code;
  } rows[] = {
    {"\4\0", 2, false, CURLPX_BAD_VERSION},
    {"\5\xff", 2, false, CURLPX_NO_AUTH},
    {"\5\1", 2, false, CURLPX_UNKNOWN_MODE},
    {"\5\1", 2, true, CURLPX_UNKNOWN_MODE},
    {"\5\2", 2, false, CURLPX_UNKNOWN_MODE}, /* it was not offered */
    {"\5\x9", 2, true, CURLPX_UNKNOWN_MODE},
    {"\5\2\1\1", 4, true, CURLPX_USER_REJECTED},
    {"\5\0\4\0\0\1\0", 7, false, CURLPX_BAD_VERSION},
    {"\5\0\5\0\0\7\0", 7, false, CURLPX_BAD_ADDRESS_TYPE},
    {"\5\0\5\1\0\1\0", 7, false, CURLPX_REPLY_GENERAL_SERVER_FAILURE},
    {"\5\0\5\2\0\1\0", 7, false, CURLPX_REPLY_NOT_ALLOWED},
    {"\5\0\5\3\0\1\0", 7, false, CURLPX_REPLY_NETWORK_UNREACHABLE},
    {"\5\0\5\4\0\1\0", 7, false, CURLPX_REPLY_HOST_UNREACHABLE},
    {"\5\0\5\5\0\1\0", 7, false, CURLPX_REPLY_CONNECTION_REFUSED},
    {"\5\0\5\6\0\1\0", 7, false, CURLPX_REPLY_TTL_EXPIRED},
    {"\5\0\5\7\0\1\0", 7, false, CURLPX_REPLY_COMMAND_NOT_SUPPORTED},
    {"\5\0\5\x8\0\1\0", 7, false, CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED},
    {"\5\0\5\x9\0\1\0", 7, false, CURLPX_REPLY_UNASSIGNED},
    {"\5\0\5\xff\0\1\0", 7, false, CURLPX_REPLY_UNASSIGNED},
  };
  struct talk t = {.r = {.version = 5, .port = 81, .host = {"a.test", 6}, .user = {"u", 1}}};
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    t.r.login = rows[i].login;
    CHECK_INT(run(&t, rows[i].answers, rows[i].len, 99), rows[i].len);
    if(!CHECK_INT(t.code, rows[i].code))
      fprintf(stderr, "  row %zu\n", i);
  }
}

TEST(ceilings)
{
  char text[MOTE_SOCKS_MAX_TEXT + 1];
  struct talk t = {.r = {.version = 5, .login = true}};
  struct mote_slice most = {text, MOTE_SOCKS_MAX_TEXT};
  struct mote_slice over = {text, MOTE_SOCKS_MAX_TEXT + 1};
  memset(text, 'x', sizeof text);
  t.r.user = t.r.password = t.r.host = most;
  RUN(&t, "\5\2\1\0\5\0\0\1\1\2\3\4\5\6", 1);
  CHECK(mote_socks_done(&t.s));
  t.r.user = over;
  CHECK_INT(mote_socks_init(&t.s, &t.r), CURLPX_LONG_USER);
  t.r.user = most;
  t.r.password = over;
  CHECK_INT(mote_socks_init(&t.s, &t.r), CURLPX_LONG_PASSWD);
  t.r.version = 4; /* has no password */
  RUN(&t, "\0\x5a\1\2\3\4\5\6", 3);
  CHECK(mote_socks_done(&t.s));
  t.r.host = over;
  CHECK_INT(mote_socks_init(&t.s, &t.r), CURLPX_LONG_HOSTNAME);
  address(&t, MOTE_FAMILY_IP4); /* the name is not used */
  CHECK_INT(mote_socks_init(&t.s, &t.r), CURLPX_OK);
  address(&t, MOTE_FAMILY_IP6);
  CHECK_INT(mote_socks_init(&t.s, &t.r), CURLPX_BAD_ADDRESS_TYPE);
}

TEST(texts)
{
  int code;
  for(code = 0; code <= CURLPX_LAST; code++)
    CHECK(mote_socks_text((CURLproxycode)code)[0]);
  CHECK(strcmp(mote_socks_text(CURLPX_NO_AUTH), mote_socks_text(CURLPX_UNKNOWN_FAIL)));
}

int main(void)
{
  TEST_RUN(socks4);
  TEST_RUN(socks4a);
  TEST_RUN(socks4_refusals);
  TEST_RUN(socks5_destinations);
  TEST_RUN(socks5_answers);
  TEST_RUN(socks5_login);
  TEST_RUN(socks5_gss);
  TEST_RUN(socks5_must_login);
  TEST_RUN(socks5_refusals);
  TEST_RUN(ceilings);
  TEST_RUN(texts);
  return test_end();
}
