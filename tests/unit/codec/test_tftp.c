/* tests/unit/codec/test_tftp.c: packets of TFTP (codec/tftp.h), from blocks without a byte to spare.
 * needs: src/codec/tftp.c */
#include "codec/tftp.h"

#include "test.h"

/* "code number rest", "-" for none. */
static const char *shown(const char *bytes, size_t len)
{
  static char text[700];
  struct mote_tftp_packet p;
  char *copy = malloc(len + !len);
  memcpy(copy, bytes, len);
  if(mote_tftp_read(&p, copy, len))
    snprintf(text, sizeof text, "%u %u %.*s", p.code, p.number, (int)p.rest.len, p.rest.ptr);
  else
    snprintf(text, sizeof text, "-");
  free(copy);
  return text;
}

#define SHOWN(bytes) shown(bytes, sizeof bytes - 1)

TEST(packets)
{
  CHECK_STR(SHOWN("\0\3\0\1abc"), "3 1 abc");
  CHECK_STR(SHOWN("\0\3\xff\xff"), "3 65535 ");
  CHECK_STR(SHOWN("\0\4\1\2"), "4 258 ");
  CHECK_STR(SHOWN("\0\5\0\1no file\0"), "5 1 no file");
  CHECK_STR(SHOWN("\0\5\0\1no end"), "5 1 no end");
  CHECK_STR(SHOWN("\0\5\0\1two\0texts\0"), "5 1 two");
  CHECK_STR(SHOWN("\0\5\0\1"), "5 1 ");
  CHECK_STR(SHOWN("\0\6"), "6 0 ");
}

TEST(what_is_none)
{
  CHECK_STR(shown("", 0), "-");
  CHECK_STR(SHOWN("\0"), "-");
  CHECK_STR(SHOWN("\0\3"), "-");
  CHECK_STR(SHOWN("\0\3\0"), "-");
  CHECK_STR(SHOWN("\0\4\0"), "-");
  CHECK_STR(SHOWN("\0\1file\0octet\0"), "-");
  CHECK_STR(SHOWN("\0\2file\0octet\0"), "-");
  CHECK_STR(SHOWN("\0\0\0\0"), "-");
  CHECK_STR(SHOWN("\0\7\0\0"), "-");
  CHECK_STR(SHOWN("\1\3\0\1abc"), "-");
}

/* "name=value " of each, and what is left over. */
static const char *options(const char *bytes, size_t len)
{
  static char text[300];
  char *copy = malloc(len + !len);
  struct mote_slice rest = {copy, len}, name, value;
  size_t at = 0;
  memcpy(copy, bytes, len);
  while(mote_tftp_next_option(&rest, &name, &value))
    at += (size_t)snprintf(text + at, sizeof text - at, "%.*s=%.*s ", (int)name.len, name.ptr, (int)value.len,
                           value.ptr);
  snprintf(text + at, sizeof text - at, "%d", (int)rest.len);
  free(copy);
  return text;
}

#define OPTIONS(bytes) options(bytes, sizeof bytes - 1)

TEST(options_of_an_oack)
{
  CHECK_STR(options("", 0), "0");
  CHECK_STR(OPTIONS("blksize\0" "512\0tsize\0" "7\0"), "blksize=512 tsize=7 0");
  CHECK_STR(OPTIONS("\0\0"), "= 0");
  CHECK_STR(OPTIONS("blksize\0" "512"), "11");
  CHECK_STR(OPTIONS("a\0b\0c\0"), "a=b 2");
}

static bool wrote(const struct mote_tftp_request *r, const char *want, size_t len)
{
  char room[MOTE_TFTP_REQUEST_MOST];
  return mote_tftp_put_request(room, r) == len && !memcmp(room, want, len);
}

TEST(requests)
{
  struct mote_tftp_request r = {
    .code = MOTE_TFTP_READ, .file = mote_slice_of("a b"), .options = true, .block = 512, .timeout = 6,
  };
  static const char all[] = "\0\1a b\0octet\0tsize\0" "0\0blksize\0" "512\0timeout\0" "6";
  static const char plain[] = "\0\2a b\0netascii";
  char name[MOTE_TFTP_REQUEST_MOST], room[MOTE_TFTP_REQUEST_MOST];
  CHECK(wrote(&r, all, sizeof all));
  r.code = MOTE_TFTP_WRITE;
  r.netascii = true;
  r.options = false;
  CHECK(wrote(&r, plain, sizeof plain));
  r.options = true;
  r.size = UINT64_MAX;
  r.block = 65464;
  r.timeout = 255;
  memset(name, 'n', sizeof name);
  r.file.ptr = name;
  r.file.len = 512 - 2 - 1 - 9 - 6 - 21 - 8 - 6 - 8 - 4;
  CHECK_INT(mote_tftp_put_request(room, &r), 512);
  r.file.len++;
  CHECK_INT(mote_tftp_put_request(room, &r), 0);
}

TEST(heads_and_texts)
{
  char room[10];
  memset(room, 'x', sizeof room);
  CHECK(mote_tftp_put_head(room, MOTE_TFTP_DATA, 0x1234) == room + 4);
  CHECK_MEM(room, (size_t)5, "\0\3\x12\x34x", (size_t)5);
  CHECK(mote_tftp_put_text(room, mote_slice_of("")) == room + 1 && !room[0]);
  CHECK(mote_tftp_put_text(room, mote_slice_of("ab")) == room + 3);
  CHECK_STR(room, "ab");
}

int main(void)
{
  TEST_RUN(packets);
  TEST_RUN(what_is_none);
  TEST_RUN(options_of_an_oack);
  TEST_RUN(requests);
  TEST_RUN(heads_and_texts);
  return test_end();
}
