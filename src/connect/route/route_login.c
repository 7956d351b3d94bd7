/* connect/route/route_login.c: what authenticates requests to an HTTP proxy (connect/route/route.h,
 * CURLOPT_PROXYAUTH(3)). */
#include <string.h>

#include "connect/route/route.h"
#include "transfer/login.h"
#include "transfer/transfer.h"

void mote_route_find_login(struct mote_transfer *t, const struct mote_route *r, const struct mote_hop *hop,
                           struct mote_login *out)
{
  struct mote_route_login login;
  (void)mote_route_login(t, r, hop, &login);
  memset(out, 0, sizeof *out);
  out->t = t;
  out->schemes = (unsigned long)mote_opt_long(&t->options, CURLOPT_PROXYAUTH);
  out->memory = MOTE_OPT_PROXY_AUTH;
  out->place = (struct mote_auth_place){.host = hop->host, .port = hop->port, .tls = hop->tls};
  out->login = (struct mote_auth_login){
    .user = login.user, .password = login.password, .user_coded = login.coded, .password_coded = login.coded,
    .ticket = login.user.ptr || login.password.ptr || mote_login_is_single(out->schemes),
  };
}
