# Files that are built for size (-Os) where the rest is built for speed: what runs once in the life of a handle, a
# connection or a TLS configuration, when an option is set, or only for a rare option. No figure of budgets.toml that
# counts instructions is measured in them; a file that gets such a figure leaves the list.
set(MOTE_COLD
  api/library/account api/easy/easy_connection api/text/escape api/form/formadd api/text/getenv api/easy/getinfo api/easy/getinfo_text
    api/library/global api/easy/header api/library/init_static api/form/mime api/text/mprintf api/multi/multi api/multi/multi_setopt api/multi/notify api/easy/need
    api/easy/option_names api/multi/push api/easy/setopt api/multi/share api/text/slist api/library/ssls api/library/sslset api/text/url api/text/utility api/library/version api/easy/ws
  auth/gss auth/memory auth/sign/message_signature auth/negotiate auth/sasl/sasl auth/sasl/sasl_gss auth/sasl/sasl_md5
    auth/sasl/sasl_plain auth/scheme auth/sasl/scram
  base/memory/block base/text/date base/text/error_text base/text/format base/text/format_float base/digest/sha512
  codec/files/altsvc codec/ldap/ber codec/url/curlu codec/coding/decode codec/coding/decode_brotli codec/coding/decode_zlib codec/coding/decode_zstd
    codec/dns codec/ftp/ftp_port codec/files/hsts codec/http/http1_text codec/url/idn codec/ldap/ldap codec/ldap/ldap_filter
    codec/ldap/ldap_text codec/ftp/listing codec/mqtt codec/files/netrc codec/url/proxy codec/ssh/sftp codec/socks/socks codec/socks/socks_gss
    codec/ssh/ssh_agent codec/tftp codec/url/url codec/url/url_host codec/url/url_resolve codec/url/url_split codec/ftp/wildcard
  connect/compare connect/data/data_listen connect/data/data_proxy connect/proxy/dial_challenge connect/proxy/dial_haproxy
    connect/proxy/dial_proxy connect/proxy/identity_proxy connect/proxy/dial_proxy_tls connect/dial/dial_report connect/proxy/dial_response connect/proxy/dial_socks connect/dial/dial_tls
    connect/proxy/dial_tunnel connect/dial/preset connect/dial/race connect/report connect/dial/resolve connect/route/route_login
    connect/data/socket_listen connect/tls_config connect/tls_sessions connect/version
  http/altsvc/altsvc http/altsvc/altsvc_hosts http/codings http/cookies/cookie_files http/doh http/hosts/hsts_hosts http/auth/message_signature
    http/auth/netrc http/proxy http/cookies/public_suffix http/range http/redirect http/auth/sigv4 http/hosts/text_files
    http/time_condition
  net/names/address net/names/address_ip6 net/conn_text net/driver net/names/answers net/names/lookup net/names/names net/names/preset
  port/posix/file port/posix/interface port/posix/names port/posix/process port/posix/thread
  protocol/plain/dict protocol/plain/file protocol/plain/file_move protocol/plain/file_need protocol/ftp/ftp_list protocol/ftp/ftp_login
    protocol/ftp/ftp_tls protocol/plain/gopher protocol/http1/h1_need protocol/http2/h2 protocol/http2/h2_judge protocol/http2/h2_push protocol/mail/imap_fetch
    protocol/mail/imap_greet
    protocol/ldap/ldap protocol/ldap/ldap_greet protocol/ldap/ldap_messages protocol/ldap/ldap_sasl protocol/document protocol/starttls
    protocol/mail/mail_session protocol/plain/mqtt protocol/plain/mqtt_packets protocol/plain/query protocol/sasl_exchange
    protocol/sftp/sftp
    protocol/sftp/sftp_message protocol/sftp/sftp_read protocol/sftp/sftp_session protocol/mail/smtp
    protocol/ssh/ssh_agent protocol/ssh/ssh_auth protocol/ssh/ssh_host_key protocol/ssh/ssh_memory protocol/ssh/ssh_wire
    protocol/plain/tftp protocol/plain/tftp_packets protocol/ws/ws
  stream/haproxy stream/protect stream/socks stream/socks_gss stream/tunnel stream/tunnel_h2
  tls/choice tls/config tls/x509/der tls/files tls/x509/hostname tls/openssl/openssl_cert tls/openssl/openssl_ctx tls/openssl/openssl_info
    tls/openssl/openssl_library tls/openssl/openssl_session tls/openssl/openssl_sign tls/openssl/openssl_trust tls/openssl/openssl_verify tls/x509/pem
    tls/x509/pin tls/refuse tls/report tls/session tls/sign tls/tls tls/x509/trust
  transfer/report/debug transfer/report/info transfer/report/info_tls engine/internal transfer/login transfer/report/meter transfer/upload/mime
    transfer/upload/mime_post transfer/upload/mime_source engine/need/need engine/need/need_connection engine/need/need_tls
    engine/need/need_url transfer/options/option_rows engine/refuse transfer/report/report transfer/upload/source_crlf)

foreach(name IN LISTS MOTE_COLD)
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/src/${name}.c")
    message(FATAL_ERROR "cmake/cold.cmake names src/${name}.c, which is not there")
  endif()
  set_property(SOURCE "src/${name}.c" APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:-Os>")
endforeach()
