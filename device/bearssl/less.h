/* less.h: leaves out of BearSSL 0.6 what profile tiny never needs, included in front of two of its files
 * (tools/device.py).
 *
 * ssl_hs_client.c: the handshake has every suite. The client offers no CBC and no CCM one, and refuses a
 * server that chooses what was not offered before it gets to this code, which fails. rsa_i15_pub.c: square
 * and multiply, which the curves need anyway, replaces windows and takes half as long again. The exponent is
 * public and usually 3 bytes long; t has room for two numbers. */
#include "inner.h"

#define br_ssl_engine_switch_cbc_in(cc, ...) br_ssl_engine_fail(cc, BR_ERR_BAD_CIPHER_SUITE)
#define br_ssl_engine_switch_cbc_out(cc, ...) br_ssl_engine_fail(cc, BR_ERR_BAD_CIPHER_SUITE)
#define br_ssl_engine_switch_ccm_in(cc, ...) br_ssl_engine_fail(cc, BR_ERR_BAD_CIPHER_SUITE)
#define br_ssl_engine_switch_ccm_out(cc, ...) br_ssl_engine_fail(cc, BR_ERR_BAD_CIPHER_SUITE)

#define br_i15_modpow_opt(x, e, elen, m, m0i, t, tlen) br_i15_modpow(x, e, elen, m, m0i, t, (t) + fwlen)
