/* tests/unit/codec/test_sftp.c: messages of SFTP (codec/ssh/sftp.h), whole, byte by byte and cut at random.
 * needs: src/codec/ssh/sftp.c */
#include "base/out.h"
#include "codec/ssh/sftp.h"

#include "test.h"

#define MOST 100000

/* What came of some bytes, as text. */
struct heard {
  char events[400];
  char data[MOST];
  size_t len;
  bool broken;
};

static void note(struct heard *h, const struct mote_sftp_event *e)
{
  size_t end = strlen(h->events);
  char *at = h->events + end;
  size_t room = sizeof h->events - end;
  if(e->type == MOTE_SFTP_DATA) {
    memcpy(h->data + h->len, e->text.ptr, e->text.len);
    h->len += e->text.len;
    if(e->end)
      snprintf(at, room, "data:%u ", (unsigned)e->id);
  }
  else if(e->type == MOTE_SFTP_STATUS)
    snprintf(at, room, "status:%u:%u:%.*s ", (unsigned)e->id, (unsigned)e->code, (int)e->text.len,
             e->text.ptr);
  else if(e->type == MOTE_SFTP_NAME)
    snprintf(at, room, "name:%u:%.*s:%.*s:%o%s ", (unsigned)e->id, (int)e->text.len, e->text.ptr,
             (int)e->text2.len, e->text2.ptr, (unsigned)e->attrs.mode, e->end ? "." : "");
  else if(e->type == MOTE_SFTP_ATTRS)
    snprintf(at, room, "attrs:%u:%llu:%u:%u ", (unsigned)e->id, (unsigned long long)e->attrs.size,
             (unsigned)e->attrs.uid, (unsigned)e->attrs.mtime);
  else
    snprintf(at, room, "%u:%u:%.*s ", (unsigned)e->type, (unsigned)e->id, (int)e->text.len, e->text.ptr);
}

/* Feeds pieces that are `cut` bytes longer each time (0: at random), and keeps what is not used. */
static void feed(const char *bytes, size_t len, size_t cut, struct heard *h)
{
  struct mote_sftp_in in = {.type = 0};
  size_t from = 0, to = 0;
  memset(h, 0, sizeof *h);
  while(!h->broken) {
    struct mote_sftp_event e;
    char *piece = malloc(to - from + 1);
    size_t used;
    memcpy(piece, bytes + from, to - from);
    used = mote_sftp_feed(&in, piece, to - from, &e);
    CHECK(used <= to - from);
    h->broken = e.broken;
    if(e.type)
      note(h, &e);
    free(piece);
    from += used;
    if(e.type || used)
      continue;
    if(to == len)
      break;
    to += cut ? cut : 1 + test_random() % 300;
    to = to < len ? to : len;
  }
}

static void check(const char *bytes, size_t len, const char *events, const char *data, bool broken)
{
  static struct heard h;
  static const size_t cuts[] = {MOST, 1, 2, 3, 7, 0};
  size_t i;
  for(i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    feed(bytes, len, cuts[i], &h);
    CHECK_STR(h.events, events);
    CHECK(h.broken == broken);
    CHECK(h.len == strlen(data) && !memcmp(h.data, data, h.len));
  }
}

#define CHECK_BYTES(bytes, events, data) check(bytes, sizeof bytes - 1, events, data, false)
#define CHECK_BROKEN(bytes) check(bytes, sizeof bytes - 1, "", "", true)

TEST(messages)
{
  CHECK_BYTES("\0\0\0\5\2\0\0\0\3", "2:3: ", "");
  CHECK_BYTES("\0\0\0\11\2\0\0\0\3abcd", "2:3:abcd ", "");
  CHECK_BYTES("\0\0\0\5\xc9\0\0\0\3", "201:3: ", ""); /* EXTENDED_REPLY */
  CHECK_BYTES("\0\0\0\11\x65\0\0\0\7\0\0\0\2", "status:7:2: ", "");
  CHECK_BYTES("\0\0\0\25\x65\0\0\0\7\0\0\0\4\0\0\0\4fail\0\0\0\0", "status:7:4:fail ", "");
  CHECK_BYTES("\0\0\0\13\x66\0\0\0\1\0\0\0\2ab", "102:1:ab ", "");
  CHECK_BYTES("\0\0\0\11\x67\0\0\0\1\0\0\0\0", "data:1 ", "");
  CHECK_BYTES("\0\0\0\16\x67\0\0\0\1\0\0\0\5hello\0\0\0\14\x67\0\0\0\2\0\0\0\3you", "data:1 data:2 ",
              "helloyou");
  CHECK_BYTES("\0\0\0\21\x69\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\2", "attrs:1:4294967298:0:0 ", "");
  CHECK_BYTES("\0\0\0\45\x69\0\0\0\1\0\0\0\17\0\0\0\0\0\0\0\5\0\0\0\1\0\0\0\2\0\0\1\244\0\0\0\3\0\0\0\4",
              "attrs:1:5:1:4 ", "");
}

TEST(names)
{
  CHECK_BYTES("\0\0\0\11\x68\0\0\0\1\0\0\0\0", "name:1:::0. ", "");
  CHECK_BYTES("\0\0\0\51\x68\0\0\0\1\0\0\0\2"
              "\0\0\0\1a\0\0\0\0\0\0\0\0"
              "\0\0\0\1b\0\0\0\2-b\0\0\0\4\0\0\1\244", "name:1:a::0 name:1:b:-b:644. ", "");
  CHECK_BYTES("\0\0\0\46\x68\0\0\0\1\0\0\0\1\0\0\0\1a\0\0\0\0\x80\0\0\0\0\0\0\1\0\0\0\3x@y\0\0\0\1z\0\0",
              "name:1:a::0. ", ""); /* and the beginning of another message */
}

TEST(broken_messages)
{
  CHECK_BROKEN("\0\0\0\4\x65\0\0\0\7");                             /* shorter than a head */
  CHECK_BROKEN("\0\0\0\11\x67\0\0\0\1\0\0\0\1");                    /* DATA: two lengths */
  CHECK_BROKEN("\xff\xff\xff\xff\x65\0\0\0\1");                     /* too long to be kept */
  CHECK_BROKEN("\0\0\0\7\x65\0\0\0\1\0\0");                         /* STATUS without a code */
  CHECK_BROKEN("\0\0\0\13\x66\0\0\0\1\0\0\0\3ab");                  /* a handle longer than its message */
  CHECK_BROKEN("\0\0\0\5\x7b\0\0\0\1");                             /* no such type */
  CHECK_BROKEN("\0\0\0\5\0\0\0\0\1");                                /* nor 0, which is no message */
  CHECK_BROKEN("\0\0\0\16\0\0\0\0\1\0\0\0\5\2\0\0\0\3");
  CHECK_BROKEN("\0\0\0\14\x68\0\0\0\1\0\0\0\1abc");                 /* NAME: no entry */
  CHECK_BROKEN("\0\0\0\12\x68\0\0\0\1\0\0\0\0a");                   /* NAME: more than its entries */
  CHECK_BROKEN("\0\0\0\11\x69\0\0\0\1\0\0\0\1");                    /* ATTRS without the size */
  CHECK_BROKEN("\0\0\0\15\x69\0\0\0\1\x80\0\0\0\0\0\0\5"); /* ATTRS: five pairs, of which there is none */
}

/* An entry of a NAME may have MOTE_SFTP_UNIT bytes, however long its message is. */
TEST(long_entries)
{
  static char bytes[MOTE_SFTP_UNIT + 13] = "\0\1\0\0\x68\0\0\0\1\0\0\0\1\0\0\x7f\xff";
  struct mote_sftp_in in = {.type = 0};
  struct mote_sftp_event e;
  size_t head = mote_sftp_feed(&in, bytes, sizeof bytes - 1, &e);
  CHECK(!e.broken);
  (void)mote_sftp_feed(&in, bytes + head, sizeof bytes - head, &e);
  CHECK(e.broken);
}

TEST(attributes_alone)
{
  char bytes[8];
  struct mote_out o = mote_out_in(bytes, sizeof bytes), nothing = mote_out_in(bytes, 2);
  mote_sftp_put_attrs(&o, &(struct mote_sftp_attrs){.flags = 0});
  CHECK_MEM(bytes, o.len, "\0\0\0\0", (size_t)4);
  bytes[0] = 'x';
  mote_sftp_begin(&nothing, MOTE_SFTP_STAT, 1);
  mote_sftp_end(&nothing, 0, 0); /* what had no room is not written over */
  CHECK(nothing.cut && bytes[0] == 'x');
}

/* What is not read of the attributes is not among their flags. */
TEST(flags_of_attributes)
{
  static const char bytes[] = "\0\0\0\21\x69\0\0\0\1\x80\0\0\4\0\0\1\244\0\0\0\0";
  struct mote_sftp_in in = {.type = 0};
  struct mote_sftp_event e = {.type = 0};
  size_t at = 0;
  while(at < sizeof bytes - 1 && e.type != MOTE_SFTP_ATTRS)
    at += mote_sftp_feed(&in, bytes + at, sizeof bytes - 1 - at, &e);
  CHECK_INT(e.type, MOTE_SFTP_ATTRS);
  CHECK_INT(e.attrs.flags, MOTE_SFTP_HAS_MODE);
}

/* A handle may have 256 bytes and no more. */
TEST(handles)
{
  unsigned n;
  for(n = 255; n <= 257; n++) {
    char bytes[300] = {0};
    static struct heard h;
    bytes[2] = (char)((n + 9) >> 8);
    bytes[3] = (char)(n + 9);
    bytes[4] = MOTE_SFTP_HANDLE;
    bytes[11] = (char)(n >> 8);
    bytes[12] = (char)n;
    feed(bytes, n + 13, MOST, &h);
    CHECK(h.broken == (n == 257));
  }
}

TEST(writing)
{
  static const char wanted[] =
    "\0\0\0\64\3\0\0\0\11\0\0\0\3/ab\0\0\0\2\0\0\0\17\0\0\0\0\0\0\0\5\0\0\0\1\0\0\0\2"
    "\0\0\1\244\0\0\0\3\0\0\0\4\0\0\0\0";
  struct mote_sftp_attrs attrs = {
    .flags = 15, .size = 5, .uid = 1, .gid = 2, .mode = 0644, .atime = 3, .mtime = 4
  };
  char bytes[100];
  struct mote_out o = mote_out_in(bytes, sizeof bytes);
  mote_sftp_begin(&o, MOTE_SFTP_OPEN, 9);
  mote_sftp_put_text(&o, mote_slice_of("/ab"));
  mote_out_32(&o, MOTE_SFTP_WRITES);
  mote_sftp_put_attrs(&o, &attrs);
  mote_out_32(&o, 0);
  mote_sftp_end(&o, 0, 0);
  CHECK(!o.cut && o.len == sizeof wanted - 1 && !memcmp(bytes, wanted, sizeof wanted - 1));
  mote_sftp_end(&o, 0, 10);
  CHECK(mote_sftp_number(bytes) == sizeof wanted - 1 - 4 + 10);
  o = mote_out_in(bytes, sizeof bytes);
  mote_out_64(&o, 0x123456789abcdef0u);
  CHECK(mote_sftp_long(bytes) == 0x123456789abcdef0u && o.len == 8);
  o = mote_out_in(bytes, 12);
  mote_sftp_begin(&o, MOTE_SFTP_OPEN, 9);
  mote_sftp_put_text(&o, mote_slice_of("/ab"));
  CHECK(o.cut && o.len == MOTE_SFTP_HEAD);
}

int main(void)
{
  TEST_RUN(messages);
  TEST_RUN(names);
  TEST_RUN(broken_messages);
  TEST_RUN(long_entries);
  TEST_RUN(attributes_alone);
  TEST_RUN(flags_of_attributes);
  TEST_RUN(handles);
  TEST_RUN(writing);
  return test_end();
}
