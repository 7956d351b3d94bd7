# Profiles: which parts a build has. -DMOTE_PROFILE=, and -DMOTE_WITH=, -DMOTE_WITHOUT= add and take away.
# LIMITS: ceilings that differ from those of src/codec/limits.h and codec/url/url.h, in bytes, and other numbers.

mote_profile(full "everything that there is, TLS by OpenSSL"
  ALL
  WITHOUT small plain_urls uploads h3 bearssl bearssl_small bearssl_curves mbedtls wolfssl tls_common)
mote_profile(http "HTTP and HTTPS only"
  ALL
  WITHOUT small plain_urls uploads slab mux h2 h3 file bearssl bearssl_small bearssl_curves mbedtls wolfssl tls_common data_connections data_listen data_proxies
    bodies query gopher dict mqtt tftp ssh sasl_exchange ldap conversation ftp ftp_list pop3 smtp imap ws rtsp telnet)
mote_profile(tiny "HTTP and HTTPS GET by the easy interface: redirects, reuse"
  small libc_malloc static_memory http https bearssl bearssl_small chacha20
  LIMITS MOTE_URL_MAX_INPUT=1024 MOTE_HTTP1_MAX_LINE=1024 MOTE_HTTP1_MAX_HEAD=4096
    MOTE_CHUNKED_MAX_EXTENSIONS=512 MOTE_CHUNKED_MAX_TRAILERS=1024 MOTE_MAX_REDIRECTS=5 MOTE_HEADER_TAIL=0u)
mote_profile(mcu "GET, POST and PUT by the easy and the multi interface"
  plain_urls libc_malloc static_memory http https bearssl bearssl_small chacha20)
