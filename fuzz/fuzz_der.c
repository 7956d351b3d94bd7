/* Fuzz target of tls/x509/der.h and tls/x509/path.h: two certificates, one after the other. What is found must lie inside
 * them, nothing is read beyond, and a fault is one that there is. The second is checked as the issuer of the
 * first and as a root.
 * needs: src/tls/x509/der_key.c src/tls/x509/path.c src/tls/x509/path_names.c
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_der.c src/tls/x509/der*.c src/tls/x509/path*.c ... */
#include "fuzz.h"
#include "tls/x509/der.h"
#include "tls/x509/path.h"

static void check_inside(const struct mote_path_cert *c, const uint8_t *p, size_t len)
{
  must(p >= c->der && len <= c->len && (size_t)(p - c->der) <= c->len - len);
}

static void check_element(const struct mote_path_cert *c, const struct mote_der *e)
{
  check_inside(c, e->whole, e->whole_len);
  check_inside(c, e->content, e->content_len);
  must(e->content + e->content_len == e->whole + e->whole_len);
}

static void check_name(const struct mote_path_cert *c, const struct mote_der *name)
{
  uint32_t hash = 0;
  check_element(c, name);
  if(mote_der_name_hash(name->whole, name->whole_len, &hash))
    must(hash != 0);
}

static void check_fields(const struct mote_path_cert *c)
{
  struct mote_der e;
  struct mote_der_key key;
  struct mote_der_time from;
  struct mote_der_time until;
  if(mote_der_issuer(c->der, c->len, &e))
    check_name(c, &e);
  if(mote_der_subject(c->der, c->len, &e))
    check_name(c, &e);
  if(mote_der_spki(c->der, c->len, &e))
    check_element(c, &e);
  if(mote_der_key(c->der, c->len, &key)) {
    must(key.len != 0);
    check_inside(c, key.bytes, key.len);
    must(key.curve ? !key.exponent : key.exponent_len != 0);
    if(key.exponent)
      check_inside(c, key.exponent, key.exponent_len);
  }
  if(mote_der_validity(c->der, c->len, &from, &until))
    must(from.second < 100 * 3661 && until.second < 100 * 3661);
}

static void check_extensions(const struct mote_path_cert *c)
{
  const uint8_t *p;
  const uint8_t *end;
  struct mote_der_extension e;
  if(!mote_der_extensions(c->der, c->len, &p, &end))
    return;
  check_inside(c, p, (size_t)(end - p));
  while(mote_der_next_extension(&p, end, &e)) {
    check_element(c, &e.oid);
    check_element(c, &e.value);
    must(p <= end);
  }
}

/* An element is taken out where it lies: what is left is a SEQUENCE without it. */
static void check_drop(const struct mote_path_cert *c, uint8_t tag)
{
  uint8_t *copy = copy_of(c->der, c->len);
  size_t len = c->len;
  uint8_t *seq;
  seq = mote_der_drop(copy, &len, tag);
  if(seq) {
    struct mote_der e;
    const uint8_t *p = seq;
    must(seq >= copy && len <= c->len && (size_t)(seq - copy) <= c->len - len);
    must(mote_der_next(&p, seq + len, &e) && e.whole_len == len);
  }
  free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const uint8_t *p = data;
  struct mote_der first;
  struct mote_path_cert c[2];
  size_t cut = mote_der_next(&p, data + size, &first) ? first.whole_len : size / 2;
  unsigned i;
  for(i = 0; i < 2; i++) {
    uint8_t *copy;
    c[i].len = i ? size - cut : cut;
    copy = copy_of(data + (i ? cut : 0), c[i].len);
    c[i].der = copy;
  }
  for(i = 0; i < 2; i++) {
    enum mote_path_fault fault = mote_path_check_all(&c[i], i, false, c, i);
    must(fault <= MOTE_PATH_CRITICAL && mote_path_text(fault) && (mote_path_result(fault) == 0) == !fault);
    (void)mote_path_check_all(&c[i], 1, true, c, 1);
    (void)mote_path_check(&c[i], i, c, i);
    check_fields(&c[i]);
    check_extensions(&c[i]);
    check_drop(&c[i], data && size ? data[size - 1] : 0);
  }
  free((void *)(uintptr_t)c[0].der);
  free((void *)(uintptr_t)c[1].der);
  return 0;
}
