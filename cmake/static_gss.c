/* cmake/static_gss.c: GSS-API for the static command, which has none, since Debian has no archive of MIT krb5
 * (auth/gss.h). */
#include "auth/gss.h"

#include "base/report.h"

CURLcode mote_gss_new(struct mote_gss **out, struct mote_account *account, struct mote_report *report,
                      const struct mote_gss_peer *peer)
{
  (void)account;
  (void)peer;
  *out = NULL;
  mote_fail(report, "GSS-API is not built into the static command");
  return CURLE_AUTH_ERROR;
}

/* There is no context to call these with. */

CURLcode mote_gss_step(struct mote_gss *g, struct mote_report *report, struct mote_slice from_peer,
                       struct mote_slice *to_peer)
{
  (void)g, (void)report, (void)from_peer, (void)to_peer;
  return CURLE_AUTH_ERROR;
}

bool mote_gss_is_established(const struct mote_gss *g)
{
  (void)g;
  return false;
}

bool mote_gss_can_encrypt(const struct mote_gss *g)
{
  (void)g;
  return false;
}

bool mote_gss_can_sign(const struct mote_gss *g)
{
  (void)g;
  return false;
}

CURLcode mote_gss_wrap(struct mote_gss *g, struct mote_report *report, bool encrypt,
                       struct mote_slice message, struct mote_slice *wrapped)
{
  (void)g, (void)report, (void)encrypt, (void)message, (void)wrapped;
  return CURLE_AUTH_ERROR;
}

CURLcode mote_gss_unwrap(struct mote_gss *g, struct mote_report *report, struct mote_slice wrapped,
                         struct mote_slice *message, bool *encrypted)
{
  (void)g, (void)report, (void)wrapped, (void)message, (void)encrypted;
  return CURLE_AUTH_ERROR;
}

void mote_gss_close(struct mote_gss *g)
{
  (void)g;
}

bool mote_gss_is_there(void)
{
  return false;
}
