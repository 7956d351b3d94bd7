/* user_settings.h: wolfSSL 5.5 for a client on a device (WOLFSSL_USER_SETTINGS): TLS 1.2 and 1.3 with ECDHE, AES-GCM and
 * ChaCha20-Poly1305, RSA and ECDSA chains. Memory, sockets and the verdict on the chain are the library's
 * (src/tls/wolfssl_*.c); random bytes and time come from its port (system.c). */
#ifndef MOTE_WOLFSSL_DEVICE_H
#define MOTE_WOLFSSL_DEVICE_H

#include <time.h>

/* ---- the system ---- */
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define NO_WRITEV
#define NO_DEV_RANDOM
#define WOLFSSL_USER_IO
#define WOLFSSL_NO_SOCK
#define WOLF_CRYPTO_CB                 /* by which a connection's random bytes are the port's */
#define WC_NO_HASHDRBG                 /* and all others, too */
int mote_wolfssl_block(unsigned char *p, unsigned n);
#define CUSTOM_RAND_GENERATE_BLOCK mote_wolfssl_block
time_t mote_wolfssl_time(time_t *t);
#define XTIME mote_wolfssl_time
#define USER_TICKS
#define NO_MAIN_DRIVER
#define NO_ERROR_STRINGS               /* numbers instead of texts */
#define SIZEOF_LONG_LONG 8
#define WOLFSSL_SMALL_STACK
#define MICRO_SESSION_CACHE            /* the least that wolfSSL_get1_session() can do with; not used */
#define NO_CLIENT_CACHE
#define NO_SESSION_CACHE_REF

/* ---- TLS ---- */
#define NO_WOLFSSL_SERVER
#define OPENSSL_EXTRA                  /* certificates of the peer, for the library's own checks */
#define OPENSSL_ALL
#define KEEP_OUR_CERT                  /* whether a client's key fits its certificate */
#define KEEP_PEER_CERT
#define WOLFSSL_TLS13
#define NO_OLD_TLS
#define HAVE_TLS_EXTENSIONS
#define HAVE_SUPPORTED_CURVES
#define HAVE_EXTENDED_MASTER
#define HAVE_SNI
#define HAVE_ALPN
#define HAVE_SESSION_TICKET
#define HAVE_EX_DATA

/* ---- algorithms ---- */
#define WOLFSSL_SP_MATH_ALL
#define WOLFSSL_SP_SMALL
#define SP_WORD_SIZE 32
#define HAVE_ECC
#define HAVE_ECC384
#define ECC_TIMING_RESISTANT
#define TFM_TIMING_RESISTANT
#define WC_RSA_BLINDING
#define WC_RSA_PSS
#define HAVE_HKDF
#define HAVE_AESGCM
#define GCM_SMALL
#define WOLFSSL_AES_SMALL_TABLES
#define HAVE_CHACHA
#define HAVE_POLY1305
#define HAVE_ONE_TIME_AUTH
#define WOLFSSL_SHA384
#define WOLFSSL_SHA512
#define USE_SLOW_SHA256
#define USE_SLOW_SHA512
#define NO_DES3
#define NO_RC4
#define NO_MD4
#define NO_DSA
#define NO_DH
#define NO_PSK

#endif
