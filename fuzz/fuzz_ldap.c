/* Fuzz target of codec/ldap/ldap.h. The first byte chooses: a filter as text, or messages of a server. A filter that is
 * right is one element; a message is known by its length, and its entry becomes text within bounds.
 *
 * needs: src/codec/ldap/ber.c src/codec/ldap/ldap.c src/codec/ldap/ldap_filter.c src/codec/ldap/ldap_text.c src/base/buf.c src/base/text.c src/base/digest/base64.c */
#include "base/buf.h"
#include "codec/ldap/ber.h"
#include "codec/ldap/ldap.h"
#include "fuzz.h"

static struct mote_account account;

static void fuzz_filter(struct mote_slice text)
{
  struct mote_buf out;
  struct mote_ber_writer w = {.out = &out};
  struct mote_slice all, inside;
  uint8_t tag;
  bool good;
  mote_buf_init(&out, &account, MOTE_PART_OTHER, 1 << 20);
  good = mote_ldap_put_filter(&w, text);
  all = (struct mote_slice){out.ptr, out.len};
  must(w.rc || !good || (mote_ber_take(&all, &tag, &inside) && !all.len));
  mote_buf_close(&out);
}

static void fuzz_messages(struct mote_slice bytes)
{
  while(bytes.len) {
    size_t len = mote_ldap_message_len(bytes.ptr, bytes.len);
    struct mote_ldap_message m;
    struct mote_ldap_result r;
    struct mote_buf out;
    if(!len || len > bytes.len)
      return;
    if(mote_ldap_read((struct mote_slice){bytes.ptr, len}, &m)) {
      mote_buf_init(&out, &account, MOTE_PART_OTHER, 1 << 20);
      must(mote_ldap_add_entry(&out, m.body) || out.len > 4);
      must(out.len <= 64 + 16 * m.body.len * (1 + m.body.len));
      if(mote_ldap_read_result(m.body, &r))
        must(r.text.len + r.credentials.len <= m.body.len);
      if(mote_ldap_find_values(m.body, "o", &r.text))
        must(r.text.len <= m.body.len);
      mote_buf_close(&out);
    }
    mote_slice_skip(&bytes, len);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *copy;
  if(!size)
    return 0;
  copy = copy_of((const char *)data + 1, size - 1);
  if(data[0] & 1)
    fuzz_filter((struct mote_slice){copy, size - 1});
  else
    fuzz_messages((struct mote_slice){copy, size - 1});
  free(copy);
  return 0;
}
