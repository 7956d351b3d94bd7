/* tests/unit/codec/test_socks_gss.c: heads of the frames of GSS-API in SOCKS5 (codec/socks/socks_gss.h).
 * needs: src/codec/socks/socks_gss.c */
#include "codec/socks/socks_gss.h"

#include "test.h"

TEST(written)
{
  uint8_t head[MOTE_SOCKS_GSS_HEAD];
  mote_socks_gss_put(head, MOTE_SOCKS_GSS_TOKEN, 0x1234);
  CHECK_MEM((const char *)head, sizeof head, "\1\1\x12\x34", 4);
  mote_socks_gss_put(head, MOTE_SOCKS_GSS_DATA, MOTE_SOCKS_GSS_MOST);
  CHECK_MEM((const char *)head, sizeof head, "\1\3\xff\xff", 4);
}

/* Reads a head in pieces; *used: bytes that were asked for. */
static enum mote_socks_gss_verdict feed(struct mote_socks_gss_head *h, const char *bytes, size_t len,
                                        size_t piece, size_t *used)
{
  enum mote_socks_gss_verdict v = MOTE_SOCKS_GSS_OK;
  *used = 0;
  while(!v && mote_socks_gss_missing(h) && *used < len) {
    size_t n = mote_socks_gss_missing(h);
    n = n < piece ? n : piece;
    n = n < len - *used ? n : len - *used;
    v = mote_socks_gss_feed(h, (const uint8_t *)bytes + *used, n);
    *used += n;
  }
  return v;
}

TEST(read)
{
  static const struct {
    char bytes[8];
    size_t len, used;
    enum mote_socks_gss_verdict verdict;
    unsigned size;
  } rows[] = {
    {"\1\1\0\0more", 8, 4, MOTE_SOCKS_GSS_OK, 0},
    {"\1\1\0\x9cmore", 8, 4, MOTE_SOCKS_GSS_OK, 0x9c},
    {"\1\1\xff\xffmore", 8, 4, MOTE_SOCKS_GSS_OK, 0xffff},
    {"\1\xff", 2, 2, MOTE_SOCKS_GSS_REFUSED, 0}, /* nothing follows it */
    {"\1\2\0\1x", 5, 2, MOTE_SOCKS_GSS_WRONG, 0},
    {"\5\1\0\1x", 5, 2, MOTE_SOCKS_GSS_WRONG, 0},
    {"\0\xff\0\1x", 5, 2, MOTE_SOCKS_GSS_WRONG, 0},
    {"HTTP", 4, 2, MOTE_SOCKS_GSS_WRONG, 0},
  };
  size_t i, piece, used;
  for(i = 0; i < sizeof rows / sizeof *rows; i++)
    for(piece = 1; piece < 6; piece++) {
      struct mote_socks_gss_head h;
      mote_socks_gss_expect(&h, MOTE_SOCKS_GSS_TOKEN);
      CHECK_INT(feed(&h, rows[i].bytes, rows[i].len, piece, &used), rows[i].verdict);
      CHECK(used <= rows[i].used);
      if(!rows[i].verdict && CHECK_INT(mote_socks_gss_missing(&h), 0))
        CHECK_INT(h.len, rows[i].size);
    }
}

int main(void)
{
  TEST_RUN(written);
  TEST_RUN(read);
  return test_end();
}
