/* mbedtls_device.h: mbedTLS 2.28 for a client on a device (MBEDTLS_CONFIG_FILE): TLS 1.2 with ECDHE and AES-GCM or
 * ChaCha20-Poly1305, RSA and ECDSA chains. Random bytes, time and dates are the library's (port/port.h), so there
 * is neither an entropy collector nor a clock here; its memory is the library's too. */
#ifndef MOTE_MBEDTLS_DEVICE_H
#define MOTE_MBEDTLS_DEVICE_H

/* ---- the system ---- */
#define MBEDTLS_HAVE_ASM
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY        /* mote_mbedtls_configure() sets the library's functions */
#define MBEDTLS_ERROR_STRERROR_DUMMY   /* numbers instead of texts: 20 KB less */
#ifdef MBEDTLS_ECP_RESTARTABLE         /* with MOTE_HANDSHAKE_MS: computations that can be interrupted */
#define MBEDTLS_ECDH_LEGACY_CONTEXT
#endif
#define MBEDTLS_NO_UDBL_DIVISION       /* no 64-bit division, and none of libgcc's */

/* ---- TLS ---- */
#define MBEDTLS_SSL_TLS_C
#define MBEDTLS_SSL_CLI_C
#define MBEDTLS_SSL_PROTO_TLS1_2
#define MBEDTLS_SSL_SERVER_NAME_INDICATION
#define MBEDTLS_SSL_MAX_FRAGMENT_LENGTH
#define MBEDTLS_SSL_ALPN
#define MBEDTLS_SSL_EXTENDED_MASTER_SECRET
#define MBEDTLS_SSL_SESSION_TICKETS
#define MBEDTLS_SSL_KEEP_PEER_CERTIFICATE
#define MBEDTLS_KEY_EXCHANGE_ECDHE_RSA_ENABLED
#define MBEDTLS_KEY_EXCHANGE_ECDHE_ECDSA_ENABLED
#ifndef MBEDTLS_SSL_IN_CONTENT_LEN
#define MBEDTLS_SSL_IN_CONTENT_LEN 16384 /* servers that do not keep to MOTE_MBEDTLS_FRAGMENT send as much */
#endif
#ifndef MBEDTLS_SSL_OUT_CONTENT_LEN
#define MBEDTLS_SSL_OUT_CONTENT_LEN 4096
#endif

/* ---- certificates ---- */
#define MBEDTLS_X509_USE_C
#define MBEDTLS_X509_CRT_PARSE_C
#define MBEDTLS_X509_CHECK_KEY_USAGE
#define MBEDTLS_X509_CHECK_EXTENDED_KEY_USAGE
#define MBEDTLS_PK_C
#define MBEDTLS_PK_PARSE_C
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_OID_C

/* ---- algorithms ---- */
#define MBEDTLS_RSA_C
#define MBEDTLS_PKCS1_V15
#define MBEDTLS_PKCS1_V21
#define MBEDTLS_X509_RSASSA_PSS_SUPPORT
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_MPI_MAX_SIZE 512
#define MBEDTLS_MPI_WINDOW_SIZE 2
#define MBEDTLS_ECP_C
#define MBEDTLS_ECDH_C
#define MBEDTLS_ECDSA_C
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#define MBEDTLS_ECP_DP_SECP384R1_ENABLED
#define MBEDTLS_ECP_DP_CURVE25519_ENABLED
#define MBEDTLS_ECP_NO_INTERNAL_RNG    /* the TLS client passes the generator of mbedtls_ssl_conf_rng() */
#define MBEDTLS_ECP_WINDOW_SIZE 2      /* 4 would be faster, for some kilobytes of memory in the handshake */
#define MBEDTLS_ECP_FIXED_POINT_OPTIM 0
#define MBEDTLS_ECP_NIST_OPTIM         /* four times as fast for 1 KB */
#define MBEDTLS_AES_C
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_GCM_C
#define MBEDTLS_CHACHA20_C
#define MBEDTLS_POLY1305_C
#define MBEDTLS_CHACHAPOLY_C
#define MBEDTLS_CIPHER_C
#define MBEDTLS_MD_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA256_SMALLER
#define MBEDTLS_SHA512_C               /* SHA-384, by which many authorities sign */
#define MBEDTLS_SHA512_SMALLER

#include <mbedtls/check_config.h>

#endif
