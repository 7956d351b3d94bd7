# Files that are built for size (-Os) where the rest is built for speed: what runs once in the life of a handle, a
# connection or a TLS configuration, when an option is set, or only for a rare option. No figure of budgets.toml that
# counts instructions is measured in them; a file that gets such a figure leaves the list.
set(MOTE_COLD
  api/account api/easy_connection api/escape api/formadd api/getenv api/getinfo api/getinfo_text
    api/global api/header api/init_static api/mime api/mprintf api/multi api/multi_setopt api/need
    api/option_names api/push api/push_none api/setopt api/share api/slist api/ssls api/sslset api/url api/utility api/version api/ws
  auth/gss auth/memory auth/message_signature auth/negotiate auth/sasl auth/sasl_gss auth/sasl_md5
    auth/sasl_plain auth/scheme auth/scram
  base/block base/date base/error_text base/format base/format_float base/sha512
  codec/altsvc codec/ber codec/curlu codec/decode codec/decode_brotli codec/decode_zlib codec/decode_zstd
    codec/dns codec/ftp_port codec/hsts codec/http1_text codec/idn codec/ldap codec/ldap_filter
    codec/ldap_text codec/listing codec/mqtt codec/netrc codec/proxy codec/sftp codec/socks codec/socks_gss
    codec/ssh_agent codec/tftp codec/url codec/url_host codec/url_resolve codec/url_split codec/wildcard
  connect/compare connect/data_listen connect/data_proxy connect/dial_challenge connect/dial_haproxy
    connect/dial_proxy connect/dial_proxy_tls connect/dial_response connect/dial_socks connect/dial_tls
    connect/dial_tunnel connect/preset connect/race connect/report connect/resolve connect/route_login
    connect/socket_listen connect/tls_config connect/tls_sessions connect/version
  http/altsvc http/altsvc_hosts http/codings http/cookie_files http/doh http/hsts_hosts http/message_signature
    http/netrc http/proxy http/public_suffix http/range http/redirect http/sigv4 http/text_files
    http/time_condition
  net/address net/address_ip6 net/conn_text net/driver net/lookup net/names net/preset
  port/posix/file port/posix/interface port/posix/names port/posix/process port/posix/thread
  protocol/dict protocol/file protocol/file_move protocol/file_need protocol/ftp_list protocol/ftp_login
    protocol/ftp_tls protocol/gopher protocol/h1_need protocol/h2 protocol/h2_push protocol/imap_fetch
    protocol/imap_greet
    protocol/ldap protocol/ldap_greet protocol/ldap_messages protocol/ldap_sasl protocol/mail_head
    protocol/mail_session protocol/mqtt protocol/mqtt_packets protocol/pop3_greet protocol/query protocol/sasl_exchange
    protocol/sftp
    protocol/sftp_message protocol/sftp_read protocol/sftp_session protocol/smtp protocol/smtp_greet
    protocol/ssh_agent protocol/ssh_auth protocol/ssh_host_key protocol/ssh_memory protocol/ssh_session protocol/ssh_wire
    protocol/tftp protocol/tftp_packets protocol/ws
  stream/haproxy stream/protect stream/socks stream/socks_gss stream/tunnel stream/tunnel_h2
  tls/choice tls/config tls/der tls/files tls/hostname tls/openssl_cert tls/openssl_ctx tls/openssl_info
    tls/openssl_library tls/openssl_session tls/openssl_sign tls/openssl_trust tls/openssl_verify tls/pem
    tls/pin tls/refuse tls/report tls/session tls/sign tls/tls tls/trust
  transfer/debug transfer/info transfer/info_tls transfer/internal transfer/login transfer/meter transfer/mime
    transfer/mime_post transfer/mime_source transfer/need transfer/need_connection transfer/need_tls
    transfer/need_url transfer/option_rows transfer/refuse transfer/report transfer/source_crlf)

foreach(name IN LISTS MOTE_COLD)
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/src/${name}.c")
    message(FATAL_ERROR "cmake/cold.cmake names src/${name}.c, which is not there")
  endif()
  set_property(SOURCE "src/${name}.c" APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:-Os>")
endforeach()
