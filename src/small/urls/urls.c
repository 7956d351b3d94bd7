/* small/urls/urls.c: what the large HTTP asks of URLs, over those of small/url.c, which have neither
 * credentials nor fragments to leave out. */
#include <string.h>

#include "codec/url/url.h"
#include "codec/url/url_pack.h"

bool mote_url_is_absolute(const char *in, size_t len)
{
  size_t n = 0;
  while(n < len && mote_is_alnum(in[n]))
    n++;
  return n && len - n >= 3 && !memcmp(in + n, "://", 3);
}

/* As much of a text as there is room for; the length of the whole. */
static size_t urls_print(struct mote_slice s, char *out, size_t cap)
{
  if(s.len && cap)
    memcpy(out, s.ptr, s.len < cap ? s.len : cap);
  return s.len;
}

char *mote_url_text(const struct mote_url *u, unsigned leave_out, struct mote_account *account,
                    enum mote_part part)
{
  (void)leave_out;
  return mote_mem_strndup(account, part, u->text, u->part[MOTE_URL_WHOLE].len);
}

size_t mote_url_target(const struct mote_url *u, char *out, size_t cap)
{
  return urls_print(mote_url_get(u, MOTE_URL_PATH), out, cap);
}

size_t mote_url_authority(const struct mote_url *u, int with_port, char *out, size_t cap)
{
  char digits[22] = ":";
  bool usual = u->port == (u->part[MOTE_URL_SCHEME].len == 5 ? 443 : 80);
  struct mote_slice port = {digits, 1 + mote_print_dec(digits + 1, u->port)};
  size_t len = urls_print(mote_url_get(u, MOTE_URL_HOST), out, cap);
  if(with_port == 2 || (with_port == 1 && !usual))
    len += urls_print(port, len < cap ? out + len : out, len < cap ? cap - len : 0);
  return len;
}

bool mote_url_packed_login(const struct mote_url_packed *p, struct mote_slice *user,
                           struct mote_slice *password)
{
  (void)p;
  (void)user;
  (void)password;
  return false;
}

struct mote_slice mote_url_packed_zoned(const struct mote_url_packed *p)
{
  return mote_url_packed_host(p);
}
