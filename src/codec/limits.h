/* codec/limits.h: ceilings of what a peer may make a codec read or hold, each with its reason.
 *
 * The HTTP/1 codecs hold no bytes. These bound what the caller has to carry over for them, and how long a
 * peer may go on without sending anything new. A profile may lower them (cmake/profiles.cmake). */
#ifndef MOTE_CODEC_LIMITS_H
#define MOTE_CODEC_LIMITS_H

#include "parts.h"

/* One line of a head or of trailers, its continuation lines and line ends included. Header callbacks are
 * promised at most CURL_MAX_HTTP_HEADER (CURLOPT_HEADERFUNCTION(3)); programs have arrays of that size and
 * append a NUL to the line, so one byte less, as in libcurl. */
#ifndef MOTE_HTTP1_MAX_LINE
#define MOTE_HTTP1_MAX_LINE (100 * 1024 - 1)
#endif

/* All heads that answer one request, 1xx included. Stops an endless head and endless 1xx. The figure is
 * libcurl's; heads are kept for the application, so they cost memory. */
#ifndef MOTE_HTTP1_MAX_HEAD
#define MOTE_HTTP1_MAX_HEAD (300 * 1024)
#endif

/* Chunk extensions of one body, in bytes. Servers hardly send any. Without a bound a chunk header can go on
 * for ever, and many small chunks with large extensions cost far more to read than they deliver. */
#ifndef MOTE_CHUNKED_MAX_EXTENSIONS
#define MOTE_CHUNKED_MAX_EXTENSIONS (16 * 1024)
#endif

/* Hex digits of one chunk size, leading zeros included. As in libcurl; 63 bits fit. */
#define MOTE_CHUNKED_MAX_DIGITS 16

/* All trailers of one body. They carry checksums and signatures; libcurl 7.88 takes 4 KB per line, any number
 * of them. */
#ifndef MOTE_CHUNKED_MAX_TRAILERS
#define MOTE_CHUNKED_MAX_TRAILERS (32 * 1024)
#endif

/* Codings applied one over the other, each of which may multiply the size again. The figure is libcurl's. */
#define MOTE_MAX_CODINGS 5

/* What one turn of decoding may cost before other transfers have theirs. A byte that a stage makes counts 1.
 * A byte that it reads counts MOTE_DECODE_READ_COST, since tables of codes and empty blocks make much work of
 * a few bytes, at the worst about half a microsecond for each. 16 KB that expand 200 times still fit. */
#define MOTE_DECODE_TURN (4u << 20)
#define MOTE_DECODE_READ_COST 32u

/* Window of zstd, base 2 logarithm of its bytes: 8 MB (RFC 9659 section 3). The transfer pays for it. */
#ifndef MOTE_ZSTD_MAX_WINDOW_LOG
#define MOTE_ZSTD_MAX_WINDOW_LOG 23
#endif

/* Bytes between two stages of a decoder chain, allocated only when a body has several codings. */
#ifndef MOTE_DECODE_STAGE_BUFFER
#define MOTE_DECODE_STAGE_BUFFER 4096
#endif

#endif
