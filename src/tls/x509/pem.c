/* tls/x509/pem.c: finding and decoding the blocks of a PEM text that arrives in pieces. */
#include "tls/x509/pem.h"

#include <string.h>

#include "base/digest/base64.h"
#include "base/text.h"

void mote_pem_init(struct mote_pem *pem, const char *label, uint8_t *der, size_t der_cap)
{
  memset(pem, 0, sizeof *pem);
  pem->label = label;
  pem->der = der;
  pem->der_cap = der_cap;
}

static void pem_decode(struct mote_pem *pem, char c)
{
  int digit = mote_base64_digit(c);
  if(mote_is_space(c))
    return;
  if(c == '=' && pem->pads < 2) {
    pem->pads++;
    return;
  }
  if(digit < 0 || pem->pads) {
    pem->bad = true;
    return;
  }
  pem->bits = pem->bits << 6 | (uint32_t)digit;
  pem->bit_count = (uint8_t)(pem->bit_count + 6);
  if(pem->bit_count < 8)
    return;
  pem->bit_count = (uint8_t)(pem->bit_count - 8);
  if(pem->der_len < pem->der_cap)
    pem->der[pem->der_len++] = (uint8_t)(pem->bits >> pem->bit_count);
}

/* The line begins with `before`, then `label`, then five dashes. */
static bool line_is(const struct mote_pem *pem, const char *before, const char *label)
{
  size_t a = strlen(before);
  size_t b = strlen(label);
  if(a + b + 5 > pem->line_len)
    return false;
  return !memcmp(pem->line, before, a) && !memcmp(pem->line + a, label, b) &&
         !memcmp(pem->line + a + b, "-----", 5);
}

static bool pem_begins(struct mote_pem *pem)
{
  static const char begin[] = "-----BEGIN ";
  if(pem->label)
    return line_is(pem, begin, pem->label);
  pem->trusted = line_is(pem, begin, "TRUSTED CERTIFICATE");
  return pem->trusted || line_is(pem, begin, "CERTIFICATE") || line_is(pem, begin, "X509 CERTIFICATE");
}

/* true when the line ended a block. */
static bool end_of_line(struct mote_pem *pem)
{
  bool ended = false;
  if(pem->line_len && pem->line[0] == '-') {
    ended = pem->inside && !pem->bad && pem->der_len && pem->line_len > 8 &&
            !memcmp(pem->line, "-----END", 8);
    pem->inside = !ended && pem_begins(pem);
    if(pem->inside) {
      pem->start = pem->line_pos;
      pem->der_len = 0;
      pem->bit_count = 0;
      pem->pads = 0;
      pem->bad = false;
    }
  }
  pem->line_len = 0;
  return ended;
}

/* Skips the rest of a line of base64 that has no room in der. */
static size_t skip_line(const struct mote_pem *pem, const char *p, size_t len)
{
  const char *eol;
  if(!pem->inside || pem->der_len < pem->der_cap || !pem->line_len || pem->line[0] == '-')
    return 0;
  eol = memchr(p, '\n', len);
  return eol ? (size_t)(eol - p) : len;
}

/* Skips the byte-order mark of UTF-8 that editors of Windows put in front of a text. */
static size_t skip_mark(struct mote_pem *pem, const char *p, size_t len)
{
  static const char mark[3] = {'\xef', '\xbb', '\xbf'};
  size_t i = 0;
  while(i < len && pem->pos < sizeof mark && !pem->line_len && p[i] == mark[pem->pos]) {
    pem->pos++;
    i++;
  }
  if(i)
    pem->line_pos = pem->pos;
  return i;
}

bool mote_pem_feed(struct mote_pem *pem, const char *p, size_t len, size_t *used)
{
  size_t i = skip_mark(pem, p, len);
  while(i < len) {
    size_t skipped = skip_line(pem, p + i, len - i);
    char c;
    pem->pos += skipped;
    i += skipped;
    if(i == len)
      break;
    c = p[i++];
    pem->pos++;
    if(c == '\n') {
      bool ended = end_of_line(pem);
      pem->line_pos = pem->pos;
      if(ended) {
        *used = i;
        return true;
      }
      continue;
    }
    if(pem->line_len < MOTE_PEM_LINE)
      pem->line[pem->line_len++] = c;
    if(pem->inside && pem->line[0] != '-')
      pem_decode(pem, c);
  }
  *used = len;
  return false;
}

bool mote_pem_end(struct mote_pem *pem)
{
  return end_of_line(pem);
}
