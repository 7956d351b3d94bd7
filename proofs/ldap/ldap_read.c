/* Any bytes as a message, and what is in it as a result and as an entry. */
#include "codec/ldap/ldap.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND), values;
  struct mote_ldap_message m;
  struct mote_ldap_result r;
  size_t len = mote_ldap_message_len(s.ptr, s.len);
  if(!mote_ldap_read(s, &m))
    return 0;
  PROVE(len <= s.len && proof_within(m.body, (struct mote_slice){s.ptr, len}));
  if(nondet_bool()) {
    if(mote_ldap_read_result(m.body, &r)) {
      PROVE(proof_within(r.text, m.body));
      PROVE(!r.credentials.ptr || proof_within(r.credentials, m.body));
    }
  }
  else if(mote_ldap_find_values(m.body, "a", &values))
    PROVE(!values.ptr || proof_within(values, m.body));
  return 0;
}
