/* tests/unit/net/test_conn.c: what a connection lends, holds over and closes; sockets and a scripted layer.
 * Needs accounts, posix. */
#include "base/containers/list.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/waitset.h"


#include "fds.h"

static CURLcode lend(struct mote_conn *c, char *buf, size_t size, size_t most, char **bytes, size_t *len,
                     bool *over)
{
  struct mote_conn_loan loan = {0};
  CURLcode rc = mote_conn_read(c, buf, size, most, &loan);
  *bytes = loan.bytes;
  *len = loan.len;
  *over = loan.end;
  return rc;
}

/* ---- a layer whose bytes come in pieces of the test's choice ---- */

struct script {
  struct mote_stream stream;
  const char *bytes;  /* still to come */
  size_t len;
  size_t piece;       /* most bytes of one recv; 0: nothing now */
  bool ends;          /* the peer ends after the bytes; else CURLE_AGAIN */
  int closed;
  int shut;
  unsigned wanted;    /* what want() turns any interest into; 0: the same */
};

static size_t next_piece(const struct script *s, size_t cap)
{
  size_t n = s->piece < s->len ? s->piece : s->len;
  return n < cap ? n : cap;
}

static CURLcode script_recv(struct mote_stream *stream, void *buf, size_t cap, size_t *n)
{
  struct script *s = mote_container_of(stream, struct script, stream);
  *n = next_piece(s, cap);
  if(!*n)
    return s->ends && !s->len ? CURLE_OK : CURLE_AGAIN;
  memcpy(buf, s->bytes, *n);
  s->bytes += *n;
  s->len -= *n;
  return CURLE_OK;
}

static bool script_quiet(struct mote_stream *stream)
{
  const struct script *s = mote_container_of(stream, struct script, stream);
  return !s->len && !s->ends;
}

static CURLcode script_shutdown(struct mote_stream *stream, bool *done)
{
  mote_container_of(stream, struct script, stream)->shut++;
  *done = true;
  return CURLE_OK;
}

static void script_close(struct mote_stream *stream)
{
  mote_container_of(stream, struct script, stream)->closed++;
}

static unsigned script_want(const struct mote_stream *stream, unsigned interest)
{
  const struct script *s = mote_container_of(stream, struct script, stream);
  return s->wanted ? s->wanted : interest;
}

static bool script_pending(const struct mote_stream *stream)
{
  return mote_container_of(stream, struct script, stream)->len > 0;
}

static const struct mote_stream_ops copying = {
  .recv = script_recv, .want = script_want, .pending = script_pending,
  .shutdown = script_shutdown, .quiet = script_quiet, .close = script_close,
};

static const struct mote_stream_ops plain = {
  .recv = script_recv, .close = script_close,
};

static struct mote_account account;
static struct script script;

static struct mote_conn *begin(const struct mote_stream_ops *ops)
{
  struct mote_conn_plan plan = {.key = "key", .key_len = 3};
  struct mote_conn *c = NULL;
  memset(&account, 0, sizeof account);
  memset(&script, 0, sizeof script);
  CHECK_INT(mote_conn_new(&c, &account, &plan), CURLE_OK);
  if(c && ops) {
    script.stream.ops = ops;
    script.stream.below = c->top;
    script.stream.env = &c->env;
    c->top = &script.stream;
  }
  return c;
}

static void end(struct mote_conn *c)
{
  mote_conn_close(c, false);
  CHECK_ACCOUNT(&account);
}

static void say(const char *bytes, size_t piece)
{
  script.bytes = bytes;
  script.len = strlen(bytes);
  script.piece = piece;
}

/* ---- the struct, its tail ---- */

static int closer_data;
static curl_socket_t closer_fd;

static int closer_fn(void *data, curl_socket_t fd)
{
  CHECK(data == &closer_data);
  closer_fd = fd;
  close(fd);
  return 0;
}

static void make(void)
{
  struct mote_conn_closer closer = {closer_fn, &closer_data};
  struct mote_conn_plan plan = {.key = "host:80\0http", .key_len = 13, .state_size = 24, .closer = &closer};
  struct mote_conn *c;
  int pair[2], fds = fds_open();
  CURLcode rc;
  memset(&account, 0, sizeof account);
  rc = mote_conn_new(&c, &account, &plan);
  if(rc) {
    CHECK(rc == CURLE_OUT_OF_MEMORY && test_mem.failed);
    return;
  }
  CHECK_MEM(mote_conn_key(c), c->key_len, "host:80\0http", 13);
  CHECK_MEM(mote_conn_state(c), c->state_size, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
  memset(mote_conn_state(c), 0xff, 24);
  CHECK_INT(mote_conn_fd(c), CURL_SOCKET_BAD);
  CHECK(!mote_conn_alive(c));
  fds_pair(pair);
  c->tcp.watch.fd = pair[0];
  CHECK(mote_conn_alive(c));
  closer_fd = -1;
  mote_conn_close(c, true);
  CHECK_INT(closer_fd, pair[0]);
  close(pair[1]);
  CHECK_ACCOUNT(&account);
  CHECK_INT(fds_open(), fds);
}

TEST(made_and_closed)
{
  run_with_failures(make);
}

TEST(layers_are_closed_from_the_top)
{
  struct mote_conn *c = begin(&copying);
  mote_conn_close(c, true);
  CHECK_INT(script.closed, 1);
  CHECK_INT(script.shut, 1);
  CHECK_ACCOUNT(&account);
  c = begin(&copying);
  mote_conn_close(c, false);
  CHECK_INT(script.closed, 1);
  CHECK_INT(script.shut, 0);
  c = begin(&plain); /* no goodbye */
  mote_conn_close(c, true);
  CHECK_INT(script.closed, 1);
}

/* ---- a socket ---- */

TEST(socket_and_wait_set)
{
  struct mote_conn *c = begin(NULL);
  struct mote_waitset set;
  int pair[2], fds = fds_open();
  char buf[64], *bytes;
  size_t len, n;
  bool over;
  mote_waitset_init(&set, &account);
  fds_pair(pair);
  c->set = &set;
  mote_watch_add(&set, &c->tcp.watch, pair[0]);
  CHECK_INT(mote_conn_want(c, MOTE_WANT_IN), CURLE_OK);
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_IN);
  CHECK(!mote_conn_pending(c));
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_AGAIN);
  CHECK_INT(mote_conn_send(c, "hello", 5, &n), CURLE_OK);
  CHECK_INT(n, 5);
  CHECK_INT(read(pair[1], buf, 64), 5);
  CHECK(mote_conn_alive(c));
  CHECK_INT(write(pair[1], "answer", 6), 6);
  CHECK(!mote_conn_alive(c)); /* no request was sent */
  CHECK_INT(lend(c, buf, sizeof buf, 4, &bytes, &len, &over), CURLE_OK);
  CHECK_MEM(bytes, len, "answ", 4);
  CHECK(!over);
  mote_conn_take(c, 4);
  CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
  close(pair[1]);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK_MEM(bytes, len, "er", 2);
  CHECK(!over);
  CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK(over);
  CHECK_MEM(bytes, len, "er", 2); /* the end, with what was held */
  CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
  CHECK_INT(mote_conn_send(c, "x", 1, &n), CURLE_SEND_ERROR);
  CHECK(c->env.os_errno != 0);
  CHECK(!mote_conn_alive(c));
  mote_conn_close(c, true);
  CHECK_INT(set.by_fd.count, 0);
  mote_waitset_close(&set);
  CHECK_ACCOUNT(&account);
  CHECK_INT(fds_open(), fds);
}

TEST(want_asks_the_top_layer)
{
  struct mote_conn *c = begin(&copying);
  struct mote_waitset set;
  int pair[2];
  CHECK_INT(mote_conn_want(c, MOTE_WANT_IN), CURLE_OK); /* in no set */
  mote_waitset_init(&set, &account);
  fds_pair(pair);
  c->set = &set;
  mote_watch_add(&set, &c->tcp.watch, pair[0]);
  script.wanted = MOTE_WANT_OUT;
  CHECK_INT(mote_conn_want(c, MOTE_WANT_IN), CURLE_OK);
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_OUT);
  CHECK_INT(mote_conn_want(c, 0), CURLE_OK); /* no one waits, not even the layer */
  CHECK_INT(c->tcp.watch.want, 0);
  CHECK(!mote_conn_pending(c));
  say("x", 1);
  CHECK(mote_conn_pending(c));
  end(c);
  mote_waitset_close(&set);
  close(pair[1]);
}

/* Bytes on an idle connection: with TLS the layer judges (a ticket is no reason to close). */
TEST(alive_with_tls)
{
  struct mote_conn *c = begin(&copying);
  int pair[2];
  fds_pair(pair);
  c->tcp.watch.fd = pair[0];
  CHECK_INT(write(pair[1], "x", 1), 1);
  CHECK(mote_conn_alive(c));
  script.ends = true;
  CHECK(!mote_conn_alive(c)); /* close_notify */
  script.ends = false;
  say("HTTP", 4);
  CHECK(!mote_conn_alive(c)); /* data */
  close(pair[1]);
  end(c);
}

/* What the layer has read already is seen although the socket is empty, and however often one looks. */
TEST(looking_takes_nothing)
{
  struct mote_conn *c = begin(&copying);
  char buf[16];
  int pair[2], i;
  size_t n;
  fds_pair(pair);
  c->tcp.watch.fd = pair[0];
  say("HTTP", 4);
  for(i = 0; i < 3; i++)
    CHECK(!mote_conn_alive(c));
  CHECK_INT(mote_conn_receive(c, buf, sizeof buf, &n), CURLE_OK);
  CHECK_MEM(buf, n, "HTTP", 4);
  CHECK(mote_conn_alive(c));
  close(pair[1]);
  end(c);
}

/* ---- lending and holding ---- */

static const char text[] = "HTTP/1.1 200 OK\r\nServer: x\r\n"
                           "A-long-line: 0123456789012345678901234567890123456789\r\n"
                           "\r\nbody of the response\nwith\nshort\nlines\n\n";

/* Read lines: whole ones are taken, the rest is held over. As a reader of headers does. */
static size_t read_lines(struct mote_conn *c, size_t size, size_t most, char *room, size_t room_size,
                         char *out)
{
  char buf[128];
  size_t got = 0;
  bool over = false;
  while(!over) {
    char *bytes;
    size_t len, line;
    CURLcode rc;
    memset(buf, '#', sizeof buf); /* the buffer is everybody's between steps */
    rc = lend(c, buf, size, most, &bytes, &len, &over);
    if(!CHECK(!rc))
      break;
    for(;;) {
      const char *nl = memchr(bytes, '\n', len);
      if(!nl)
        break;
      line = (size_t)(nl - bytes) + 1;
      memcpy(out + got, bytes, line);
      got += line;
      bytes += line;
      len -= line;
      mote_conn_take(c, line);
    }
    rc = mote_conn_hold(c, 1000, room, room_size);
    if(!CHECK(!rc))
      break;
    CHECK_INT(c->held_len, len);
    CHECK(len <= room_size ? !c->held_cap || len : c->held_cap >= len);
  }
  return got;
}

static void cut_every_way(const struct mote_stream_ops *ops)
{
  static const size_t sizes[] = {16, 64, 128};
  char room[64], out[sizeof text];
  size_t piece, i, room_size;
  for(piece = 1; piece < sizeof text; piece++)
    for(i = 0; i < 3; i++)
      for(room_size = 0; room_size <= sizeof room; room_size += 21) {
        struct mote_conn *c = begin(ops);
        size_t got;
        say(text, piece);
        script.ends = true;
        got = read_lines(c, sizes[i], 1000, room, room_size, out);
        CHECK_MEM(out, got, text, sizeof text - 1);
        end(c);
      }
}

TEST(cut_every_way_with_a_copying_layer)
{
  cut_every_way(&copying);
}

TEST(cut_every_way_with_a_plain_layer)
{
  cut_every_way(&plain);
}

TEST(the_first_piece_of_each_length)
{
  char out[sizeof text], buf[128], *bytes;
  size_t cut, len;
  for(cut = 1; cut < sizeof text - 1; cut++) {
    struct mote_conn *c = begin(&copying);
    bool over;
    say(text, 1000);
    CHECK_INT(lend(c, buf, sizeof buf, cut, &bytes, &len, &over), CURLE_OK);
    CHECK_MEM(bytes, len, text, cut < sizeof buf ? cut : sizeof buf);
    CHECK_INT(mote_conn_hold(c, 1000, NULL, 0), CURLE_OK);
    script.ends = true;
    CHECK_INT(read_lines(c, sizeof buf, 1000, NULL, 0, out), sizeof text - 1);
    CHECK_MEM(out, sizeof text - 1, text, sizeof text - 1);
    end(c);
  }
}

TEST(nothing_new_leaves_what_is_held)
{
  struct mote_conn *c = begin(&copying);
  char buf[64], *bytes;
  size_t len;
  bool over;
  say("abc", 3);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK_INT(mote_conn_hold(c, 3, NULL, 0), CURLE_OK);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_AGAIN);
  CHECK_INT(mote_conn_hold(c, 3, NULL, 0), CURLE_OK);
  CHECK_INT(c->held_len, 3);
  memset(buf, '#', sizeof buf);
  CHECK_INT(mote_conn_lend_held(c, buf, &bytes), 3);
  CHECK_MEM(bytes, 3, "abc", 3);
  mote_conn_take(c, 1);
  CHECK_INT(mote_conn_hold(c, 3, NULL, 0), CURLE_OK);
  say("d", 1);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK_MEM(bytes, len, "bcd", 3);
  mote_conn_take(c, 3);
  CHECK_INT(mote_conn_hold(c, 3, NULL, 0), CURLE_OK);
  CHECK_INT(c->held_cap, 0); /* nothing left: no block either */
  CHECK(!c->held);
  end(c);
}

/* Each message's end moved all that was read after it. */
TEST(what_is_taken_moves_nothing_else)
{
  struct mote_conn *c = begin(&copying);
  char buf[64], *bytes, *first;
  size_t len, i;
  bool over;
  say("one.two.six.ten.", 16);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  mote_conn_take(c, 4);
  CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
  CHECK_INT(mote_conn_lend_held(c, buf, &first), 12);
  for(i = 4; i < 12; i += 4) {
    mote_conn_take(c, 4);
    CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
    CHECK_INT(mote_conn_lend_held(c, buf, &bytes), 12 - i);
    CHECK(bytes == first + i);
    CHECK_MEM(bytes, 4, &"two.six.ten."[i], 4);
  }
  CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
  say("end", 3);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK_MEM(bytes, len, "ten.end", 7);
  mote_conn_take(c, len);
  CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
  CHECK(!c->held && !c->held_cap);
  end(c);
}

/* Of messages of 7 bytes, more than half a small buffer is always held: one block serves for all. */
TEST(a_block_is_used_from_its_front_again)
{
  static char stream[7001];
  struct mote_conn *c = begin(&copying);
  char buf[16], *bytes;
  size_t len, i, next = 0;
  bool over;
  for(i = 0; i < 7000; i++)
    stream[i] = (char)('a' + i % 26);
  say(stream, 15);
  while(lend(c, buf, sizeof buf, 64, &bytes, &len, &over) == CURLE_OK) {
    while(len >= 21) {
      CHECK_MEM(bytes, len, stream + next, len);
      next += 7;
      mote_conn_take(c, 7);
      CHECK_INT(mote_conn_hold(c, 1000, NULL, 0), CURLE_OK);
      len = mote_conn_lend_held(c, buf, &bytes);
    }
    CHECK_INT(mote_conn_hold(c, 1000, NULL, 0), CURLE_OK);
    CHECK_INT(c->held_cap, 256);
  }
  CHECK_INT(next + c->held_len, 7000);
  end(c);
}

/* All that had come of a line was copied to the buffer and back with each byte of it. */
TEST(a_long_line_is_read_on_where_it_is)
{
  static char line[20000], buf[8192];
  struct mote_conn *c = begin(&copying);
  char room[2000], *bytes, *before = NULL;
  size_t len, moves = 0;
  bool over;
  memset(line, 'x', sizeof line - 1);
  say(line, 1);
  while(lend(c, buf, sizeof buf, 4096, &bytes, &len, &over) == CURLE_OK) {
    if(len > 1000) {
      CHECK(bytes != buf);
      moves += bytes != before;
    }
    before = bytes;
    CHECK_INT(mote_conn_hold(c, 50000, room, sizeof room), CURLE_OK);
  }
  CHECK(moves < 10);
  CHECK_INT(mote_conn_lend_held(c, buf, &bytes), sizeof line - 1);
  CHECK_MEM(bytes, sizeof line - 1, line, sizeof line - 1);
  CHECK_INT(mote_conn_hold(c, 50000, NULL, 0), CURLE_OK);
  CHECK_INT(c->held_cap, 32768);
  end(c);
}

/* The reader sets it to NUL after a line. */
TEST(the_byte_after_what_is_lent_is_the_readers)
{
  struct mote_conn *c = begin(&copying);
  char buf[8], room[8], *bytes;
  size_t len;
  bool over;
  say("abcdefghijklmnopqrst", 20);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK(bytes == buf);
  CHECK_MEM(bytes, len, "abcdefg", 7); /* a full buffer */
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK(bytes == c->held && len < c->held_cap); /* a full block */
  mote_conn_take(c, len - sizeof room);
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK);
  CHECK(c->held_cap > sizeof room); /* no borrowed room: it is lent through a buffer that may be as small */
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK);
  end(c);
}

TEST(borrowed_room)
{
  struct mote_conn *c = begin(&copying);
  char buf[64], room[8], *bytes;
  size_t len, calls;
  bool over;
  say("abcdef", 6);
  calls = account.calls;
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  mote_conn_take(c, 2);
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK);
  CHECK(c->held == room && !c->held_cap);
  CHECK_MEM(room, 4, "cdef", 4);
  memset(buf, '#', sizeof buf);
  CHECK_INT(mote_conn_lend_held(c, buf, &bytes), 4);
  CHECK(bytes == buf); /* the reader may write into what it was lent */
  CHECK_MEM(bytes, 4, "cdef", 4);
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK);
  say("gh", 2);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK_MEM(bytes, len, "cdefgh", 6);
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK);
  CHECK_INT(account.calls, calls);
  say("ijk", 3);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK); /* 9 bytes: a block */
  CHECK(c->held_cap >= 9);
  CHECK_INT(mote_conn_lend_held(c, buf, &bytes), 9);
  CHECK_MEM(bytes, 9, "cdefghijk", 9);
  mote_conn_take(c, 9);
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK);
  CHECK(!c->held && !c->held_cap);
  end(c);
}

/* More is borrowed than half a buffer: the next read needs a block, and takes the bytes along. */
TEST(borrowed_room_that_becomes_a_block)
{
  struct mote_conn *c = begin(&copying);
  char buf[16], room[16], *bytes;
  size_t len;
  bool over;
  say("0123456789ab", 12);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK_INT(mote_conn_hold(c, 100, room, sizeof room), CURLE_OK);
  CHECK(c->held == room);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_AGAIN);
  memset(room, '#', sizeof room); /* it was the borrower's until that read */
  say("cdef", 4);
  CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
  CHECK_MEM(bytes, len, "0123456789abcdef", 16);
  CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
  end(c);
}

TEST(ceiling)
{
  struct mote_conn *c = begin(&copying);
  char buf[17], *bytes; /* a read leaves a byte of it free */
  size_t len;
  bool over;
  int i;
  script.piece = 8;
  for(i = 0; i < 5; i++) {
    say("01234567", 8);
    CHECK_INT(lend(c, buf, sizeof buf, 64, &bytes, &len, &over), CURLE_OK);
    CHECK_INT(len, 8 * (i + 1));
    CHECK_INT(mote_conn_hold(c, 32, NULL, 0), i < 4 ? CURLE_OK : CURLE_TOO_LARGE);
  }
  end(c);
}

TEST(unread_and_received)
{
  struct mote_conn *c = begin(&plain);
  char buf[16];
  size_t n;
  say("abcdef", 4);
  CHECK_INT(mote_conn_receive(c, buf, sizeof buf, &n), CURLE_OK);
  CHECK_MEM(buf, n, "abcd", 4);
  mote_conn_unread(c, buf + 3, 1);
  CHECK_INT(mote_conn_hold(c, 10, NULL, 0), CURLE_OK);
  CHECK_MEM(c->held, c->held_len, "d", 1);
  CHECK(!mote_conn_alive(c));
  script.ends = true;
  say("", 1);
  CHECK_INT(mote_conn_receive(c, buf, sizeof buf, &n), CURLE_OK);
  CHECK_INT(n, 0);
  CHECK(c->saw_end);
  say("late", 4); /* the end is the end */
  CHECK_INT(mote_conn_receive(c, buf, sizeof buf, &n), CURLE_OK);
  CHECK_INT(n, 0);
  end(c);
}

static void scenario(void)
{
  struct mote_conn_plan plan = {.key = "key", .key_len = 3};
  struct mote_conn *c;
  char buf[16], *bytes;
  size_t len;
  bool over;
  CURLcode rc;
  memset(&account, 0, sizeof account);
  rc = mote_conn_new(&c, &account, &plan);
  if(rc) {
    CHECK(rc == CURLE_OUT_OF_MEMORY && test_mem.failed);
    return;
  }
  memset(&script, 0, sizeof script);
  script.stream.ops = &copying;
  script.stream.below = c->top;
  script.stream.env = &c->env;
  c->top = &script.stream;
  say(text, 16);
  while(!rc && script.len) {
    rc = lend(c, buf, sizeof buf, 64, &bytes, &len, &over);
    if(!rc)
      rc = mote_conn_hold(c, 1000, NULL, 0);
  }
  CHECK(rc ? rc == CURLE_OUT_OF_MEMORY && test_mem.failed : c->held_len == sizeof text - 1);
  end(c);
}

TEST(survives)
{
  run_with_failures(scenario);
}

/* A host or a socket path may be longer than any key. */
TEST(a_key_that_is_too_long)
{
  static char key[UINT16_MAX + 1];
  struct mote_conn *c = NULL;
  struct mote_conn_plan plan = { .key = key, .key_len = sizeof key };
  CHECK_INT(mote_conn_new(&c, &account, &plan), CURLE_TOO_LARGE);
  CHECK(!c);
  plan.key_len--;
  if(CHECK_INT(mote_conn_new(&c, &account, &plan), CURLE_OK))
    mote_conn_close(c, false);
}

int main(void)
{
  TEST_RUN(made_and_closed);
  TEST_RUN(layers_are_closed_from_the_top);
  TEST_RUN(socket_and_wait_set);
  TEST_RUN(want_asks_the_top_layer);
  TEST_RUN(alive_with_tls);
  TEST_RUN(looking_takes_nothing);
  TEST_RUN(cut_every_way_with_a_copying_layer);
  TEST_RUN(cut_every_way_with_a_plain_layer);
  TEST_RUN(the_first_piece_of_each_length);
  TEST_RUN(nothing_new_leaves_what_is_held);
  TEST_RUN(what_is_taken_moves_nothing_else);
  TEST_RUN(a_long_line_is_read_on_where_it_is);
  TEST_RUN(a_block_is_used_from_its_front_again);
  TEST_RUN(the_byte_after_what_is_lent_is_the_readers);
  TEST_RUN(borrowed_room);
  TEST_RUN(borrowed_room_that_becomes_a_block);
  TEST_RUN(ceiling);
  TEST_RUN(unread_and_received);
  TEST_RUN(survives);
  TEST_RUN(a_key_that_is_too_long);
  return test_end();
}
