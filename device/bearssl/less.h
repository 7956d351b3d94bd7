/* less.h: what of BearSSL 0.6 profile tiny never needs, read in front of two of its files (tools/device.py).
 *
 * ssl_hs_client.c: the handshake knows every suite; no CBC and no CCM one is ever offered, and a server that
 * chooses what was not offered is refused before. Should one come to that point nevertheless, it fails.
 * rsa_i15_pub.c: square and multiply, which the curves need anyhow, in place of windows: half as fast again. The
 * exponent is public and 3 bytes long as a rule; t has room for two numbers. */
#include "inner.h"

#define br_ssl_engine_switch_cbc_in(cc, ...) br_ssl_engine_fail(cc, BR_ERR_BAD_CIPHER_SUITE)
#define br_ssl_engine_switch_cbc_out(cc, ...) br_ssl_engine_fail(cc, BR_ERR_BAD_CIPHER_SUITE)
#define br_ssl_engine_switch_ccm_in(cc, ...) br_ssl_engine_fail(cc, BR_ERR_BAD_CIPHER_SUITE)
#define br_ssl_engine_switch_ccm_out(cc, ...) br_ssl_engine_fail(cc, BR_ERR_BAD_CIPHER_SUITE)

#define br_i15_modpow_opt(x, e, elen, m, m0i, t, tlen) br_i15_modpow(x, e, elen, m, m0i, t, (t) + fwlen)
