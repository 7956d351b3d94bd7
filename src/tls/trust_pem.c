/* tls/trust_pem.c: the certificates of a PEM text that lies in memory. */
#include "tls/trust_pem.h"

#include <string.h>

#include "base/base64.h"
#include "base/memory.h"

static const char begin[] = "-----BEGIN CERTIFICATE-----";

/* The number of bytes; 0: not base64. */
static size_t decode(const char *p, const char *end, uint8_t *to)
{
  uint32_t bits = 0;
  unsigned count = 0; /* bits not yet in `to` */
  size_t n = 0;
  for(; p < end && *p != '='; p++) {
    int digit = mote_base64_digit(*p);
    if(mote_is_space(*p))
      continue;
    if(digit < 0)
      return 0;
    bits = bits << 6 | (uint32_t)digit;
    count += 6;
    if(count >= 8) {
      count -= 8;
      to[n++] = (uint8_t)(bits >> count);
    }
  }
  return n;
}

static CURLcode hand_over(const char *p, const char *end, mote_trust_der_fn *fn, void *arg)
{
  struct mote_account *a = mote_mem_process();
  size_t room = (size_t)(end - p) * 3 / 4 + 1;
  uint8_t *der = mote_mem_alloc(a, MOTE_PART_TLS, room);
  if(!der)
    return CURLE_OUT_OF_MEMORY;
  fn(arg, der, decode(p, end, der));
  mote_mem_free(a, MOTE_PART_TLS, der, room);
  return CURLE_OK;
}

CURLcode mote_trust_pem(struct mote_slice text, mote_trust_der_fn *fn, void *arg)
{
  const char *p = text.ptr;
  const char *end = p + text.len;
  const char *body = NULL; /* inside a block: its first line */
  CURLcode rc = CURLE_OK;
  while(p < end && !rc) {
    size_t left = (size_t)(end - p);
    const char *next = memchr(p, '\n', left);
    next = next ? next + 1 : end;
    if(*p == '-') {
      if(body)
        rc = hand_over(body, p, fn, arg);
      body = left >= sizeof begin && !memcmp(p, begin, sizeof begin - 1) ? next : NULL;
    }
    p = next;
  }
  return rc;
}
