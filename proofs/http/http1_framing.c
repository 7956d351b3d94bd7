/* What the fields of any response come to, for any request. */
#include "codec/coding/coding.h"
#include "codec/http/http1.h"
#include "proof.h"

int main(void)
{
  struct mote_http1_response r;
  struct mote_http1_framing out;
  ASSUME(r.code >= 100 && r.code <= 999 && r.length <= INT64_MAX);
  ASSUME(r.transfer_count <= MOTE_MAX_CODINGS ||
         (r.transfer_count == MOTE_MAX_CODINGS + 1 && r.transfer[MOTE_MAX_CODINGS] == MOTE_CODING_CHUNKED));
  if(mote_http1_framing(&r, nondet_u8() & 7u, &out))
    return 0;
  PROVE(out.length <= INT64_MAX && (!out.length || out.body == MOTE_HTTP1_BODY_LENGTH));
  PROVE(!out.reusable || (out.body != MOTE_HTTP1_BODY_UNTIL_CLOSE && r.code != 101));
  PROVE(!out.reusable || !(r.flags & (MOTE_HTTP1_CLOSE | MOTE_HTTP1_SUSPECT)));
  PROVE(out.body == MOTE_HTTP1_BODY_NONE || (r.code >= 200 && r.code != 204 && r.code != 304));
  PROVE(out.interim == (r.code < 200 && r.code != 101));
  PROVE(out.codings <= MOTE_MAX_CODINGS && out.codings <= r.transfer_count);
  return 0;
}
