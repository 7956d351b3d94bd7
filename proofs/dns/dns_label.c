/* Any place of a name that is read: a label lies within the message, and pointers lead to earlier ones. */
#include "codec/dns_message.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  const uint8_t *m = (const uint8_t *)s.ptr, *label;
  struct mote_dns_reader r = {m, s.len, proof_any_up_to(BOUND), proof_any_up_to(BOUND), 0}, before;
  r.total = proof_any_up_to(MOTE_DNS_NAME_MAX);
  before = r;
  if(mote_dns_next_label(&r, &label) != MOTE_DNS_OK)
    return 0;
  PROVE(label >= m && *label <= MOTE_DNS_LABEL_MAX && (size_t)(label - m) + 1 + *label <= s.len);
  PROVE(r.at == (size_t)(label - m) + 1 + *label);
  PROVE(r.total == before.total + 1 + *label && r.total <= MOTE_DNS_NAME_MAX);
  PROVE(r.limit < before.limit || label == m + before.at);
  return 0;
}
