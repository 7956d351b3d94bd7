/* Any domains, hosts and paths. */
#include "codec/files/cookie.h"
#include "proof.h"

int main(void)
{
  char a[BOUND], b[BOUND];
  struct mote_slice s = proof_any_slice(a, BOUND), t = proof_any_slice(b, BOUND), path;
  bool colon = false;
  size_t i;
  path = mote_cookie_default_path(s);
  PROVE(path.len >= 1 && (path.len == 1 || proof_within(path, s)));
  PROVE(path.len > 1 || *path.ptr == '/' || s.ptr == path.ptr);
  PROVE(s.len <= path.len || path.len == 1 || s.ptr[path.len] == '/');
  if(mote_cookie_path_matches(s, t))
    PROVE(s.len <= 1 || (t.len >= s.len && (t.len == s.len || t.ptr[s.len] == '/')));
  if(mote_cookie_domain_matches(s, t))
    PROVE(t.len >= s.len && (t.len == s.len || t.ptr[t.len - s.len - 1] == '.'));
  for(i = 0; i < s.len; i++)
    colon = colon || s.ptr[i] == ':';
  PROVE(mote_cookie_is_address(s) ? colon || s.len >= sizeof "1.2.3.4" - 1 : !colon);
  return 0;
}
