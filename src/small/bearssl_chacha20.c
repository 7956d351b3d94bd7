/* small/bearssl_chacha20.c: ChaCha20-Poly1305 in the least code, beside bearssl.c. */
#include "tls/bearssl/bearssl.h"

void mote_bearssl_chacha20(br_ssl_engine_context *eng)
{
  br_ssl_engine_set_chapol(eng, &br_sslrec_in_chapol_vtable, &br_sslrec_out_chapol_vtable);
  br_ssl_engine_set_chacha20(eng, br_chacha20_ct_run);
  br_ssl_engine_set_poly1305(eng, br_poly1305_i15_run);
}
