/* transfer/redirect_again.c: the same request once more. */
#include "transfer/redirect.h"
#include "transfer/source.h"
#include "transfer/transfer.h"

/* A challenge or a refused Expect was understood: the same request again, on the same connection where that
 * was kept. It counts as a redirect, as in libcurl. */
CURLcode mote_redirect_same(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc = mote_redirect_too_many(t) ? CURLE_TOO_MANY_REDIRECTS : mote_source_rewind(t);
  r->same_again = false;
  if(rc)
    return rc;
  mote_mark_set(r, MOTE_MARK_REDIRECT, now);
  r->redirects++;
  r->follow = false;
  r->body_ignored = false;
  r->headers.request++;
  r->size_down = -1;
  r->bytes_down = 0;
  r->delivered = 0;
  mote_redirect_count(r);
  mote_redirect_drop(t);
  return CURLE_OK;
}
