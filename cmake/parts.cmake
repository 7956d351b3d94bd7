# The one list of parts: what a build can contain or leave out (docs/design.md, section 6).
#
# mote_part(<name> <what it is>
#   [NEEDS part...]      cannot be without these: asking for it brings them along; "!part": cannot be together with
#                        that one, and asking for it takes that one away
#   [FILES path...]      sources that exist only with it (from src/ on, without .c); * as in a file name, FOLDER/** for
#                        all below a folder
#   [INSTEAD path...]    sources that exist only without it
#   [ABSENT function...] public functions (exports/functions.txt; * as above) that a build without the part has, too, and
#                        that do nothing but say so. What answers in another way is a source of INSTEAD
#   [HEADERS folder]     a folder of headers (from src/ on) that stand in for those with the same path below src/: the
#                        include path has it in front of src/
#   [ROWS row...]        "table: entry", what it adds to const tables (mote_table(), below)
#   [FEATURES row...]    "name CURL_VERSION_X", as curl_version_info(3) has it
#   [PORT header...]     headers of src/port that it needs: left out where the port lacks one
#   [PACKAGES name...]   what pkg-config calls the libraries that it needs
#   [LIBRARIES name...]) libraries that pkg-config does not know: -l<name>
#
# Each source is named by a part or by mote_always(). Every part is a macro MOTE_HAS_<NAME> (0 or 1) in parts.h, for the
# stubs in the part's own header and for the rows of const tables; never inside a function.

# mote_either(<name> [part|!part]...): a macro MOTE_HAS_<NAME>, too, for the rows of options: 1 with any of these parts,
# and with "!" without it.
mote_either(not_small !small)
mote_either(sending !small uploads)
mote_either(client_keys openssl tls_keys)

mote_table(mote_schemes "const struct mote_scheme mote_schemes[]" HEADER transfer/protocol.h OF "struct mote_protocol"
  END "{.name = NULL}")
# In the order of Accept-Encoding.
mote_table(mote_decoders "const struct mote_decoder *const mote_decoders[]" HEADER codec/coding/decode_lib.h
  OF "struct mote_decoder" END NULL)
# Versions of HTTP besides 1.1, the preferred one first (connect/version.h).
mote_table(mote_versions "const struct mote_version mote_versions[]" HEADER connect/version.h OF "struct mote_protocol"
  END "{.alpn = NULL}" NEEDS h2)
# The first one of a build serves unless another is chosen.
mote_table(mote_tls_backends "const struct mote_tls_backend *const mote_tls_backends[]" HEADER tls/backend.h
  OF "struct mote_tls_backend" END NULL NEEDS https)

# In the order of their fields where two have the same place (http/hooks.h).
mote_table(mote_http_hooks "const struct mote_http_hook *const mote_http_hooks[]" HEADER http/hooks.h
  OF "struct mote_http_hook" END NULL NEEDS http UNLESS small)
# Asked in this order about each URL.
mote_table(mote_http_judges "const struct mote_http_judge *const mote_http_judges[]" HEADER http/hooks.h
  OF "struct mote_http_judge" END NULL NEEDS http UNLESS small)
mote_table(mote_auth_schemes "const struct mote_auth_scheme *const mote_auth_schemes[]" HEADER auth/scheme.h
  OF "struct mote_auth_scheme" END NULL UNLESS small)

# Of those that a server offers the one with the lowest bit is used (auth/sasl/sasl.h).
mote_table(mote_sasl_mechanisms "const struct mote_sasl_mechanism *const mote_sasl_mechanisms[]" HEADER auth/sasl/sasl.h
  OF "struct mote_sasl_mechanism" END NULL NEEDS sasl)

# The first one whose option is set looks a name up, and without it the system's (net/names/lookup.h).
mote_table(mote_lookup_ways "const struct mote_lookup_way *const mote_lookup_ways[]" HEADER net/names/lookup.h
  OF "struct mote_lookup_way" END NULL UNLESS small)

mote_always(base/digest/base64 base/buf base/text/format base/containers/hash base/containers/heap base/memory base/out base/text base/wipe
  net/names/address net/conn
  engine/finish transfer/run transfer/protocol engine/start engine/states transfer/transfer
  api/easy/easy api/library/global api/text/mprintf api/text/slist api/text/utility)

# The second implementation of what the rest of the library is made of; profile tiny.
mote_part(plain_urls "URLs in the least code: no credentials in them, no IPv6 addresses, no fragments, 2,048 bytes at most"
  FILES small/url small/urls/urls
  INSTEAD codec/url/url codec/url/url_host codec/url/url_pack codec/url/url_resolve codec/url/url_split)
mote_part(small "GET over one connection by the easy interface, in the least code: no methods, bodies, limits, multi"
  NEEDS plain_urls HEADERS small/overlay
  FILES small/bearssl_suites small/connect small/http small/multi small/options small/pool small/redirect small/setopt
    small/sink small/tls small/waitset
  INSTEAD net/names/names net/names/answers net/names/lookup net/names/lookup_port net/driver net/pool net/timers net/waitset
  connect/dial/resolve connect/channel connect/dial/dial connect/dial/dial_phases connect/socket connect/route/route connect/dial/race
    connect/reuse connect/compare connect/identity connect/identity_option connect/identity_last
    engine/chain
    transfer/download/sink transfer/download/sink_write transfer/pump/pump_receive transfer/pump/pump_send transfer/upload/source
    engine/multi transfer/multi/schedule
    transfer/run_reuse transfer/options/options transfer/options/option_rows engine/refuse
  codec/http/http1 codec/http/http1_field codec/http/http1_response codec/http/chunked codec/coding/decode
    codec/url/percent
  small/http1_field small/names
  http/redirect http/request http/response http/cookies/cookie_text protocol/http1/h1 protocol/http1/h1_chunks protocol/http1/h1_parse protocol/http1/h1_send
    http/auth/auth auth/scheme auth/basic auth/memory transfer/login
  tls/bearssl/bearssl_suites tls/common/common_options connect/tls_config
  api/easy/setopt api/easy/easy_connection api/text/escape api/form/mime_none
    api/multi/multi api/multi/multi_drive api/multi/multi_setopt)

mote_part(uploads "POST and PUT with part small, bodies of known length" NEEDS small FILES small/upload/*)

mote_part(account "memory counted by account and part, limits" FILES base/memory/account api/library/account
  ABSENT mote_easy_account* mote_multi_account* mote_easy_limit mote_multi_limit mote_account_detail mote_part_info)
mote_part(need "mote_need(): what a transfer will take at most" NEEDS !plain_urls name_cache account
  FILES api/easy/need engine/need/need*
  protocol/http1/h1_need protocol/plain/file_need tls/bearssl/bearssl_need INSTEAD api/easy/need_none)

mote_part(libc_malloc "memory from the C library until another allocator is set" FILES base/memory/memory_libc
  INSTEAD base/memory/memory_none)
mote_part(static_memory "mote_init_static(): everything from one block of the caller's" FILES base/memory/block api/library/init_static)

# Its fields come before those of part http where both have the same place.
mote_part(proxy "HTTP and HTTPS proxies, tunnels through them" NEEDS proxies http https
  FILES http/proxy connect/route/route_login stream/tunnel connect/proxy/dial_tunnel connect/proxy/dial_response connect/proxy/dial_challenge connect/proxy/dial_proxy_tls
  ROWS "mote_http_hooks: &mote_http_proxy_login" "mote_http_hooks: &mote_http_proxy_connection"
    "mote_http_hooks: &mote_http_proxy_lines"
  FEATURES "HTTPS-proxy CURL_VERSION_HTTPS_PROXY")
# HSTS comes before alternative services, which are those of an https URL; their field comes before Cookie.
mote_part(host_memory "what a client remembers of hosts" NEEDS !small text_files dates FILES codec/files/stamp http/hosts/host_files http/hosts/host_index)
mote_part(hsts "HSTS: hosts that are reached over TLS only" NEEDS !plain_urls host_memory https
  FILES codec/files/hsts http/hosts/hsts http/hosts/hsts_hosts ROWS "mote_http_judges: &mote_http_hsts"
  FEATURES "HSTS CURL_VERSION_HSTS")
mote_part(altsvc "alternative services by Alt-Svc: CURLOPT_ALTSVC" NEEDS host_memory https
  FILES codec/files/altsvc http/altsvc/altsvc http/altsvc/altsvc_hosts ROWS "mote_http_judges: &mote_http_altsvc"
    "mote_http_hooks: &mote_http_alt_used"
  FEATURES "alt-svc CURL_VERSION_ALTSVC")
mote_part(http "http: URLs, HTTP/1.1" FILES http/** protocol/http1/h1* small/http auth/scheme auth/basic auth/memory transfer/login
    protocol/login
  ROWS "mote_schemes: {.name = \"http\", .protocol = &mote_protocol_http, .curlproto = CURLPROTO_HTTP}"
    "mote_http_hooks: &mote_http_auth" "mote_http_hooks: &mote_http_cookies" "mote_http_hooks: &mote_http_redirects"
    "mote_auth_schemes: &mote_auth_bearer" "mote_auth_schemes: &mote_auth_basic")
mote_part(request_trailers "trailers of requests: CURLOPT_TRAILERFUNCTION" NEEDS !small http)
mote_part(old_servers "what is not quite HTTP/1: CURLOPT_HTTP09_ALLOWED, _HTTP200ALIASES, _IGNORE_CONTENT_LENGTH" NEEDS !small http)
mote_part(slab "the memory of a library that serves one session: nghttp2" NEEDS !small FILES base/memory/slab)
mote_part(mux "many exchanges on one connection" NEEDS !small https
  FILES http/fields net/mux/* protocol/mux/mux*)
mote_part(h2 "HTTP/2 by nghttp2" NEEDS mux slab FILES connect/version net/h2/* protocol/http2/h2* api/multi/push ABSENT curl_pushheader_* PACKAGES libnghttp2
  ROWS "mote_versions: {.alpn = \"h2\", .offer = \"h2,http/1.1\", .plain = {.name = \"http\", .protocol = &mote_protocol_h2, .curlproto = CURLPROTO_HTTP}, .upgrade = {.name = \"http\", .protocol = &mote_protocol_h2_upgrade, .curlproto = CURLPROTO_HTTP}, .tls = {.name = \"https\", .protocol = &mote_protocol_h2, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_HTTPS}}"
    "mote_http_hooks: &mote_http_h2_upgrade"
  FEATURES "HTTP2 CURL_VERSION_HTTP2")
mote_part(h3 "HTTP/3 by ngtcp2 and nghttp3, with OpenSSL 3.5" NEEDS h2 openssl altsvc doh PORT burst
  FILES codec/dns_https connect/route/route_service net/names/service net/h3/* protocol/http3/h3* connect/version_quic connect/quic/dial_quic connect/quic/quic_attempt connect/quic/quic_place http/altsvc/altsvc_rest tls/quic tls/openssl/openssl_quic port/linux/burst port/posix/burst PACKAGES libngtcp2 libngtcp2_crypto_ossl libnghttp3
  ROWS "mote_versions: {.alpn = \"h3\", .offer = \"h3\", .tls = {.name = \"https\", .protocol = &mote_protocol_h3, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_HTTPS}, .quic = true}"
  FEATURES "HTTP3 CURL_VERSION_HTTP3")
mote_part(proxy_h2 "HTTP/2 to HTTPS proxies: CURLPROXY_HTTPS2" NEEDS h2 proxy FILES stream/tunnel_h2)
mote_part(https "https: URLs" NEEDS http FILES tls/** small/tls small/bearssl* api/library/sslset connect/dial/dial_tls
  transfer/report/info_tls engine/need/need_tls connect/tls_config INSTEAD api/library/sslset_none
  ROWS "mote_schemes: {.name = \"https\", .protocol = &mote_protocol_http, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_HTTPS}"
  FEATURES "SSL CURL_VERSION_SSL")
mote_part(digests "what digest functions have in common" FILES base/digest/digest)
mote_part(sha1 "SHA-1" NEEDS digests FILES base/digest/sha1)
mote_part(sha256 "SHA-256 of our own; BearSSL's serves without it" NEEDS https digests FILES base/digest/sha256
  INSTEAD tls/bearssl/bearssl_sha256)
mote_part(hmac "HMAC, PBKDF2" NEEDS sha256 FILES base/digest/hmac)
mote_part(md5 "MD5" NEEDS sha256 FILES base/digest/md5)
mote_part(tls_files "bundles of trusted certificates, certificates and keys in files" NEEDS https PORT file
  FILES tls/x509/trust tls/files INSTEAD tls/x509/trust_blob)
mote_part(tls_common "what TLS libraries without a trust store have in common" NEEDS https
  FILES tls/common/common* tls/x509/der_key tls/x509/path*)
mote_part(tls_name_constraints "name constraints of CA certificates, where the TLS library passes over them; else refused"
  NEEDS https FILES tls/x509/path_names)
mote_part(tls_keys "client certificates and CURLOPT_PINNEDPUBLICKEY with BearSSL and mbedTLS" NEEDS https
  FILES tls/common/common_keys tls/bearssl/bearssl_client tls/mbedtls/mbedtls_client)
mote_part(tls_choice "curl_global_sslset() and CURL_SSL_BACKEND choose among several TLS libraries" NEEDS https PORT env
  FILES tls/choice INSTEAD tls/choice_none
  FEATURES "MultiSSL 0")
mote_part(openssl "TLS by OpenSSL 3" NEEDS sha256 tls_files PORT env file
  FILES tls/openssl/openssl* ROWS "mote_tls_backends: &mote_tls_openssl" PACKAGES libssl libcrypto)
mote_part(bearssl "TLS by BearSSL 0.6" NEEDS tls_common FILES tls/bearssl/bearssl* small/bearssl*
  ROWS "mote_tls_backends: &mote_tls_bearssl" LIBRARIES bearssl)
mote_part(bearssl_small "of BearSSL's algorithms those of the least code, not the fastest" NEEDS bearssl
  FILES small/bearssl small/bearssl_chacha20 INSTEAD tls/bearssl/bearssl_fast tls/bearssl/bearssl_chacha20)
mote_part(bearssl_curves "with part bearssl_small: P-256 and X25519 by routines of their own, which are faster" NEEDS bearssl_small)
mote_part(chacha20 "ChaCha20-Poly1305 with BearSSL" NEEDS https
  FILES tls/bearssl/bearssl_chacha20 small/bearssl_chacha20)
mote_part(mbedtls "TLS by mbedTLS 2.28 (Apache-2.0)" NEEDS sha256 tls_common FILES tls/mbedtls/mbedtls* ROWS "mote_tls_backends: &mote_tls_mbedtls"
  LIBRARIES mbedtls mbedx509 mbedcrypto)
mote_part(wolfssl "TLS by wolfSSL 5 (GPL-2.0-or-later: binds the whole program)"
  NEEDS sha256 tls_common tls_keys sessions FILES tls/wolfssl/wolfssl* ROWS "mote_tls_backends: &mote_tls_wolfssl" PACKAGES wolfssl)
mote_part(ws "ws: and wss: URLs, WebSocket" NEEDS !plain_urls !small https sha1 FILES codec/http/websocket protocol/ws/ws protocol/ws/ws_frames api/easy/ws
  ABSENT curl_ws_*
  ROWS "mote_schemes: {.name = \"ws\", .protocol = &mote_protocol_ws, .curlproto = MOTE_PROTO_WS}"
    "mote_schemes: {.name = \"wss\", .protocol = &mote_protocol_ws, .tls = MOTE_SECURE_FIRST, .curlproto = MOTE_PROTO_WSS}"
    "mote_http_hooks: &mote_http_websocket")
mote_part(documents "what protocols of files say of one" NEEDS !plain_urls !small FILES protocol/document)
mote_part(file "file: URLs" NEEDS documents PORT file FILES protocol/plain/file protocol/plain/file_move
  ROWS "mote_schemes: {.name = \"file\", .protocol = &mote_protocol_file, .curlproto = CURLPROTO_FILE}")

# Connections, names and waiting.
mote_part(wait_sets "the system's own wait sets (epoll, kqueue), waits that another thread ends at once" NEEDS !small PORT set wake
  FILES port/linux/wait port/kqueue/set port/posix/no_set port/posix/wake port/posix/process port/windows/wake)
mote_part(name_cache "names and their addresses are kept: CURLOPT_DNS_CACHE_TIMEOUT; equal lookups are one" NEEDS !small
  FILES net/names/names net/names/answers net/names/lookup net/names/lookup_port INSTEAD small/names)
mote_part(threads "name lookups in threads" NEEDS name_cache wait_sets PORT thread FILES net/names/lookup INSTEAD net/names/lookup_port
  FEATURES "AsynchDNS CURL_VERSION_ASYNCHDNS")
mote_part(presets "CURLOPT_RESOLVE, CURLOPT_CONNECT_TO" NEEDS name_cache FILES net/names/preset connect/dial/preset)
mote_part(doh "DNS over HTTPS: CURLOPT_DOH_URL" NEEDS name_cache https header_store
  FILES codec/dns http/doh connect/identity_known engine/internal ROWS "mote_lookup_ways: &mote_lookup_doh")
mote_part(interfaces "CURLOPT_INTERFACE, CURLOPT_LOCALPORT, IPv6 zones" NEEDS !small PORT interface
  FILES port/posix/interface port/windows/interface)
mote_part(unix_sockets "Unix sockets" NEEDS !small PORT unix
  FEATURES "UnixSockets CURL_VERSION_UNIX_SOCKETS")
mote_part(data_connections "a second connection of a transfer, for a protocol that asks for it" NEEDS !small FILES connect/data/data connect/data/data_open)
mote_part(bodies "bodies of protocols other than HTTP" NEEDS !plain_urls !small FILES protocol/body)
mote_part(query "what protocols of one request and one answer have in common" NEEDS bodies FILES protocol/plain/query)
mote_part(gopher "gopher: and gophers: URLs" NEEDS query https FILES protocol/plain/gopher
  ROWS "mote_schemes: {.name = \"gopher\", .protocol = &mote_protocol_gopher, .curlproto = CURLPROTO_GOPHER}"
    "mote_schemes: {.name = \"gophers\", .protocol = &mote_protocol_gopher, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_GOPHERS}")
mote_part(dict "dict: URLs" NEEDS query FILES protocol/plain/dict
  ROWS "mote_schemes: {.name = \"dict\", .protocol = &mote_protocol_dict, .curlproto = CURLPROTO_DICT}")
mote_part(mqtt "mqtt: and mqtts: URLs" NEEDS conversation https FILES codec/mqtt protocol/plain/mqtt protocol/plain/mqtt_packets
  ROWS "mote_schemes: {.name = \"mqtt\", .protocol = &mote_protocol_mqtt, .curlproto = CURLPROTO_MQTT}"
    "mote_schemes: {.name = \"mqtts\", .protocol = &mote_protocol_mqtt, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_MQTT}")
mote_part(ssh "sftp: and scp: URLs by libssh2" NEEDS conversation documents https
  FILES codec/ssh/sftp codec/ssh/ssh_agent protocol/ssh/ssh* protocol/sftp/sftp* protocol/sftp/scp
  PORT env file PACKAGES libssh2
  ROWS "mote_schemes: {.name = \"sftp\", .protocol = &mote_protocol_sftp, .curlproto = CURLPROTO_SFTP}"
    "mote_schemes: {.name = \"scp\", .protocol = &mote_protocol_scp, .curlproto = CURLPROTO_SCP}")
mote_part(sasl_exchange "logins by SASL of protocols other than HTTP" NEEDS conversation sasl https FILES protocol/sasl_exchange)
mote_part(ldap "ldap: and ldaps: URLs" NEEDS conversation https sasl_exchange
  FILES codec/ldap/ber codec/ldap/ldap codec/ldap/ldap_filter codec/ldap/ldap_text protocol/ldap/ldap protocol/ldap/ldap_greet
    protocol/ldap/ldap_messages protocol/ldap/ldap_sasl
  ROWS "mote_schemes: {.name = \"ldap\", .protocol = &mote_protocol_ldap, .tls = MOTE_SECURE_ASKED, .curlproto = CURLPROTO_LDAP}"
    "mote_schemes: {.name = \"ldaps\", .protocol = &mote_protocol_ldap, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_LDAPS}")
mote_part(tftp "tftp: URLs" NEEDS conversation crlf PORT datagram
  FILES codec/tftp protocol/plain/tftp protocol/plain/tftp_packets port/posix/datagram port/windows/datagram
  ROWS "mote_schemes: {.name = \"tftp\", .protocol = &mote_protocol_tftp, .curlproto = CURLPROTO_TFTP}")
mote_part(rtsp "rtsp: URLs" NEEDS bodies dates http FILES codec/rtsp protocol/rtsp/rtsp protocol/rtsp/rtsp_request
  protocol/rtsp/rtsp_response
  ROWS "mote_schemes: {.name = \"rtsp\", .protocol = &mote_protocol_rtsp, .curlproto = CURLPROTO_RTSP}")
mote_part(telnet "telnet: URLs" NEEDS bodies http FILES codec/telnet protocol/plain/telnet
  ROWS "mote_schemes: {.name = \"telnet\", .protocol = &mote_protocol_telnet, .curlproto = CURLPROTO_TELNET}")
mote_part(conversation "what protocols of commands and replies have in common" NEEDS bodies dates
  FILES codec/ftp/reply protocol/conversation protocol/login protocol/starttls)
mote_part(ftp "ftp: and ftps: URLs" NEEDS conversation documents data_listen crlf https
  FILES protocol/ftp/ftp protocol/ftp/ftp_data protocol/ftp/ftp_file protocol/ftp/ftp_login protocol/ftp/ftp_path protocol/ftp/ftp_prepare protocol/ftp/ftp_tls
  ROWS "mote_schemes: {.name = \"ftp\", .protocol = &mote_protocol_ftp, .curlproto = CURLPROTO_FTP}"
    "mote_schemes: {.name = \"ftps\", .protocol = &mote_protocol_ftp, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_FTPS}")
mote_part(ftp_list "downloads of the files that match a pattern: CURLOPT_WILDCARDMATCH" NEEDS ftp
  FILES protocol/ftp/ftp_list codec/ftp/listing codec/ftp/wildcard)
mote_part(data_listen "a data connection that the server begins" NEEDS data_connections interfaces PORT listen
  FILES connect/data/data_listen connect/data/socket_listen codec/ftp/ftp_port port/posix/listen port/windows/listen)
mote_part(mail "what the protocols of mail have in common" NEEDS conversation https sasl_exchange dots
  FILES protocol/mail/mail protocol/mail/mail_session)
mote_part(pop3 "pop3: and pop3s: URLs" NEEDS mail md5 FILES protocol/mail/pop3
  ROWS "mote_schemes: {.name = \"pop3\", .protocol = &mote_protocol_pop3, .tls = MOTE_SECURE_ASKED, .curlproto = CURLPROTO_POP3}"
    "mote_schemes: {.name = \"pop3s\", .protocol = &mote_protocol_pop3, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_POP3S}")
mote_part(imap "imap: and imaps: URLs" NEEDS mail FILES codec/mail/imap protocol/mail/imap*
  ROWS "mote_schemes: {.name = \"imap\", .protocol = &mote_protocol_imap, .tls = MOTE_SECURE_ASKED, .curlproto = CURLPROTO_IMAP}"
    "mote_schemes: {.name = \"imaps\", .protocol = &mote_protocol_imap, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_IMAPS}")
mote_part(smtp "smtp: and smtps: URLs" NEEDS mail PORT env
  FILES protocol/mail/smtp protocol/mail/mail_dots
  ROWS "mote_schemes: {.name = \"smtp\", .protocol = &mote_protocol_smtp, .tls = MOTE_SECURE_ASKED, .curlproto = CURLPROTO_SMTP}"
    "mote_schemes: {.name = \"smtps\", .protocol = &mote_protocol_smtp, .tls = MOTE_SECURE_FIRST, .curlproto = CURLPROTO_SMTPS}")
mote_part(data_proxies "data connections by proxies" NEEDS data_connections proxies FILES connect/data/data_proxy)
mote_part(proxies "what all proxies have in common" NEEDS env_proxies sha256 FILES connect/proxy/dial_proxy connect/proxy/identity_proxy)
mote_part(socket_callbacks "callbacks on the way to a connection: CURLOPT_RESOLVER_START_FUNCTION, _OPENSOCKETFUNCTION, _SOCKOPTFUNCTION, _CLOSESOCKETFUNCTION, _PREREQFUNCTION" NEEDS !small)
mote_part(haproxy "CURLOPT_HAPROXYPROTOCOL" NEEDS !small FILES stream/haproxy connect/proxy/dial_haproxy)
mote_part(socks "SOCKS proxies" NEEDS proxies FILES codec/socks/socks stream/socks connect/proxy/dial_socks)
mote_part(gssapi "GSS-API by MIT krb5: Negotiate, SASL, logins to SOCKS5 proxies" NEEDS socks http
  FILES auth/gss auth/negotiate auth/sasl/sasl_gss codec/socks/socks_gss stream/socks_gss stream/protect PACKAGES krb5-gssapi
  ROWS "mote_auth_schemes: &mote_auth_negotiate" "mote_sasl_mechanisms: &mote_sasl_gssapi"
  FEATURES "GSS-API CURL_VERSION_GSSAPI" "Kerberos CURL_VERSION_KERBEROS5" "SPNEGO CURL_VERSION_SPNEGO")
mote_part(env_proxies "which proxy applies; one that is not built in is refused, not skipped" NEEDS !plain_urls PORT env file
  FILES connect/route/route_proxy codec/url/proxy api/text/getenv)
mote_part(ipv6 "literal IPv6 addresses" FILES net/names/address_ip6
  FEATURES "IPv6 CURL_VERSION_IPV6")

# Transfers.
mote_part(progress "progress callbacks, low speed, rate limits" NEEDS !small FILES transfer/report/progress)
mote_part(meter "the progress meter without a callback" NEEDS progress stdio FILES transfer/report/meter)
mote_part(codings "content and transfer codings" NEEDS !small FILES transfer/download/sink_decode codec/coding/decode http/codings
  ROWS "mote_http_hooks: &mote_http_codings")
mote_part(header_store "response headers are kept" NEEDS !small FILES transfer/download/headers api/easy/header codec/http/http1_field
  INSTEAD small/http1_field)
mote_part(stdio "a FILE where there is no callback")
mote_part(digest "Digest authentication (RFC 7616)" NEEDS !small http sha256 md5 FILES auth/digest base/digest/sha512
  ROWS "mote_auth_schemes: &mote_auth_digest")
mote_part(sasl "SASL, by which mail servers let a user in" NEEDS !small hmac md5 sha1
  FILES auth/sasl/sasl auth/sasl/sasl_plain auth/sasl/sasl_md5 auth/sasl/scram auth/sasl/sasl_gss
  ROWS "mote_sasl_mechanisms: &mote_sasl_external" "mote_sasl_mechanisms: &mote_sasl_scram_sha_256"
    "mote_sasl_mechanisms: &mote_sasl_scram_sha_1" "mote_sasl_mechanisms: &mote_sasl_digest_md5"
    "mote_sasl_mechanisms: &mote_sasl_cram_md5" "mote_sasl_mechanisms: &mote_sasl_oauthbearer"
    "mote_sasl_mechanisms: &mote_sasl_xoauth2" "mote_sasl_mechanisms: &mote_sasl_plain"
    "mote_sasl_mechanisms: &mote_sasl_login")
mote_part(forms "multipart forms: curl_mime_*, curl_formadd()" NEEDS !small http PORT file
  FILES codec/mail/mime transfer/upload/mime transfer/upload/mime_read transfer/upload/mime_source transfer/upload/mime_post api/form/mime api/form/formadd
  INSTEAD api/form/mime_none ABSENT curl_formadd curl_formfree curl_mime_data* curl_mime_encoder curl_mime_file*
    curl_mime_headers curl_mime_name curl_mime_subparts curl_mime_type)
mote_part(dots "line ends of uploads, and the dots of mails" NEEDS !small FILES codec/mail/dots)
mote_part(crlf "CURLOPT_CRLF: LF becomes CRLF in uploads" NEEDS !small http dots FILES transfer/upload/source_crlf)
mote_part(sendfile "files are sent without being read" NEEDS !small http stdio PORT file sendfile
  FILES port/linux/sendfile)
mote_part(netrc "credentials from a netrc file" NEEDS !small http PORT env file FILES codec/files/netrc http/auth/netrc)
mote_part(aws_sigv4 "requests signed as AWS wants them: CURLOPT_AWS_SIGV4" NEEDS !plain_urls !small http hmac
  FILES auth/sign/sigv4 http/auth/sigv4 ROWS "mote_http_hooks: &mote_http_sigv4")
mote_part(message_signatures "requests signed by RFC 9421: CURLOPT_HTTPSIG_*" NEEDS !plain_urls !small https hmac
  FILES auth/sign/message_signature http/auth/message_signature tls/openssl/openssl_sign tls/sign
  ROWS "mote_http_hooks: &mote_http_message_signature"
  FEATURES "HTTPSIG 0")
mote_part(ranges "CURLOPT_RANGE, CURLOPT_RESUME_FROM" NEEDS header_store FILES http/range
  ROWS "mote_http_hooks: &mote_http_ranges")
mote_part(dates "dates: CURLOPT_FILETIME, CURLOPT_TIMECONDITION" NEEDS header_store FILES base/text/date http/time_condition
  ROWS "mote_http_hooks: &mote_http_time_condition")
mote_part(cookies "the cookie engine: CURLOPT_COOKIEFILE, _COOKIEJAR, _COOKIELIST" NEEDS !plain_urls dates http
  FILES base/containers/trie codec/files/cookie http/cookies/cookies http/cookies/cookie_jar INSTEAD http/cookies/cookie_text)
mote_part(text_files "files that are read again when they have changed" NEEDS http stdio PORT file FILES http/hosts/text_files)
mote_part(cookie_files "files of cookies" NEEDS cookies text_files FILES http/cookies/cookie_files)
mote_part(psl "public suffixes: no cookies for \"co.uk\"" NEEDS cookies FILES http/cookies/public_suffix PACKAGES libpsl
  FEATURES "PSL CURL_VERSION_PSL")
mote_part(sessions "TLS sessions are resumed" NEEDS https !small FILES connect/tls_sessions
  tls/session tls/bearssl/bearssl_session tls/mbedtls/mbedtls_session api/library/ssls ABSENT curl_easy_ssls_*
  FEATURES "SSLS-EXPORT 0")
mote_part(certinfo "CURLOPT_CERTINFO" NEEDS https)

# What the application sees.
mote_part(texts "texts of errors" NEEDS !small FILES base/report base/text/error_text transfer/report/report connect/dial/dial_report net/conn_text codec/http/http1_text
  tls/bearssl/bearssl_refuse)
mote_part(verbose "CURLOPT_VERBOSE, CURLOPT_DEBUGFUNCTION" NEEDS texts stdio
  FILES transfer/report/debug connect/report tls/report)
mote_part(host_limit "CURLMOPT_MAX_HOST_CONNECTIONS counts by host, and wakes what waits for it, in the same time for any number" NEEDS !small
  FILES net/pool_hosts transfer/multi/host_queue)
mote_part(notifications "CURLMOPT_NOTIFYFUNCTION" NEEDS !small FILES transfer/multi/notify api/multi/notify
  ABSENT curl_multi_notify_*)
mote_part(share "curl_share_*" NEEDS name_cache wait_sets FILES transfer/multi/share api/multi/share)
mote_part(url_api "curl_url_*" NEEDS !plain_urls !small FILES api/text/url codec/url/curlu)
mote_part(infos "curl_easy_getinfo beyond code, URL, type and sizes; CURLOPT_PRIVATE" NEEDS header_store
  FILES transfer/report/info transfer/report/info_tls api/easy/getinfo api/easy/getinfo_text
  INSTEAD api/easy/getinfo_few)

mote_part(option_names "curl_easy_option_by_name() and its kin" FILES api/easy/option_names)
mote_part(versions "curl_version_info() names the libraries inside" NEEDS https codings FILES api/library/version
  INSTEAD api/library/version_few
  FEATURES "Largefile CURL_VERSION_LARGEFILE" "threadsafe CURL_VERSION_THREADSAFE")

mote_part(zlib "deflate and gzip" NEEDS codings FILES codec/coding/decode_zlib ROWS "mote_decoders: &mote_decoder_deflate" "mote_decoders: &mote_decoder_gzip" PACKAGES zlib
  FEATURES "libz CURL_VERSION_LIBZ")
mote_part(brotli "brotli" NEEDS codings FILES codec/coding/decode_brotli ROWS "mote_decoders: &mote_decoder_br" PACKAGES libbrotlidec
  FEATURES "brotli CURL_VERSION_BROTLI")
mote_part(zstd "zstd" NEEDS codings FILES codec/coding/decode_zstd ROWS "mote_decoders: &mote_decoder_zstd" PACKAGES libzstd
  FEATURES "zstd CURL_VERSION_ZSTD")
mote_part(idn "internationalised host names" NEEDS !plain_urls !small FILES codec/url/idn PACKAGES libidn2
  FEATURES "IDN CURL_VERSION_IDN")
mote_part(float "floating-point numbers in formats" FILES base/text/format_float INSTEAD base/text/format_nofloat)
