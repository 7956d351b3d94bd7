/* Fuzz target of tls/x509/pem.h: a text, whole and in pieces, must give the same blocks with the same bytes; each
 * block lies inside the text, and later than the one before. The first byte of the input is the size of the
 * pieces and of the buffer that is lent.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_pem.c src/tls/x509/pem.c src/base/digest/base64.c
 *   src/base/text.c */
#include "fuzz.h"
#include "tls/x509/pem.h"

struct run {
  uint64_t hash; /* of all blocks */
  uint64_t last; /* where the last one ended */
};

static void mix(struct run *r, const void *bytes, size_t len)
{
  const uint8_t *p = bytes;
  for(; len; len--)
    r->hash = (r->hash ^ *p++) * 1099511628211u;
}

static void note(struct run *r, const struct mote_pem *pem, size_t size)
{
  must(pem->start >= r->last && pem->start < pem->pos && pem->pos <= size);
  must(pem->der_len && pem->der_len <= pem->der_cap);
  mix(r, &pem->start, sizeof pem->start);
  mix(r, &pem->pos, sizeof pem->pos);
  mix(r, &pem->trusted, sizeof pem->trusted);
  mix(r, pem->der, pem->der_len);
  r->last = pem->pos;
}

/* piece 0: all at once. */
static void drive(struct run *r, const char *label, const uint8_t *data, size_t size, size_t piece, size_t cap)
{
  uint8_t *der = malloc(cap + !cap);
  struct mote_pem pem;
  size_t at = 0;
  memset(r, 0, sizeof *r);
  must(der != NULL);
  mote_pem_init(&pem, label, der, cap);
  while(at < size) {
    size_t n = piece && piece < size - at ? piece : size - at;
    char *block = copy_of(data + at, n);
    size_t used = 0;
    bool ended;
    ended = mote_pem_feed(&pem, block, n, &used);
    free(block);
    must(used <= n && (ended || used == n) && (!ended || used));
    at += used;
    must(pem.pos == at);
    if(ended)
      note(r, &pem, size);
  }
  if(mote_pem_end(&pem))
    note(r, &pem, size);
  free(der);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const labels[] = {NULL, "PRIVATE KEY", "X509 CRL"};
  struct run whole;
  struct run cut;
  size_t cap;
  size_t i;
  if(!size)
    return 0;
  cap = data[0] % 16 ? data[0] * 8u : 0;
  for(i = 0; i < sizeof labels / sizeof *labels; i++) {
    drive(&whole, labels[i], data + 1, size - 1, 0, cap);
    drive(&cut, labels[i], data + 1, size - 1, 1u + data[0] % 31, cap);
    must(whole.hash == cut.hash && whole.last == cut.last);
  }
  return 0;
}
