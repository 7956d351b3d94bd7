# Protocols that only the tests have (tests/toys/README.md): one more part, in builds with MOTE_TOYS alone. Their numbers
# are beyond those of CURLPROTO_*.

file(GLOB MOTE_TOY_SOURCES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/toys/*.c")
mote_part(toys "the protocols of tests/toys" NEEDS https conversation data_listen data_proxies
  ROWS "mote_schemes: {.name = \"mux\", .protocol = &mote_protocol_mux, .curlproto = 1L << 40}"
    "mote_schemes: {.name = \"muxs\", .protocol = &mote_protocol_mux, .tls = MOTE_SECURE_FIRST, .curlproto = 1L << 41}"
    "mote_schemes: {.name = \"login\", .protocol = &mote_protocol_login, .curlproto = 1L << 42}"
    "mote_schemes: {.name = \"logins\", .protocol = &mote_protocol_login, .tls = MOTE_SECURE_FIRST, .curlproto = 1L << 43}"
    "mote_schemes: {.name = \"logintls\", .protocol = &mote_protocol_login, .tls = MOTE_SECURE_LATER, .curlproto = 1L << 44}")
