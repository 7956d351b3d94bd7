# The one list of parts: what a build can contain or leave out (docs/design.md, section 6).
#
# mote_part(<name> <what it is>
#   [NEEDS part...]      cannot be without these: asking for it brings them along
#   [FILES path...]      sources that exist only with it (from src/ on, without .c); * as in a file name
#   [INSTEAD path...]    sources that exist only without it
#   [SCHEMES row...]     rows of mote_schemes: "name protocol port tls CURLPROTO_"
#   [DECODERS name...]   mote_decoder_<name>, in the order of Accept-Encoding
#   [PACKAGES name...])  what pkg-config calls the libraries that it needs
#
# A source that no part names is always there. Every part is a macro MOTE_HAS_<NAME> (0 or 1) in parts.h, for the
# stubs in the part's own header and for the rows of const tables; never inside a function.

mote_part(account "memory counted by account and part, limits" FILES base/account api/account api/need
  INSTEAD api/account_none api/need_none)

mote_part(http "http: URLs, HTTP/1.1" FILES protocol/http*
  SCHEMES "http http 80 0 CURLPROTO_HTTP")
mote_part(https "https: URLs" NEEDS http FILES tls/* PACKAGES libssl libcrypto
  SCHEMES "https http 443 1 CURLPROTO_HTTPS")
mote_part(file "file: URLs" FILES protocol/file protocol/file_move
  SCHEMES "file file 0 0 CURLPROTO_FILE")

mote_part(zlib "deflate and gzip" FILES codec/decode_zlib DECODERS deflate gzip PACKAGES zlib)
mote_part(brotli "brotli" FILES codec/decode_brotli DECODERS br PACKAGES libbrotlidec)
mote_part(zstd "zstd" FILES codec/decode_zstd DECODERS zstd PACKAGES libzstd)
mote_part(idn "internationalised host names" FILES codec/idn PACKAGES libidn2)
mote_part(float "floating-point numbers in formats" FILES base/format_float INSTEAD base/format_nofloat)
