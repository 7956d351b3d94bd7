/* curl/websockets.h: WebSocket frames (RFC 6455). */
#ifndef CURLINC_WEBSOCKETS_H
#define CURLINC_WEBSOCKETS_H

#include "curl.h"

#ifdef __cplusplus
extern "C" {
#endif

struct curl_ws_frame {
  int age;              /* 0: this layout */
  int flags;            /* CURLWS_* */
  curl_off_t offset;    /* of this piece in the frame, bytes */
  curl_off_t bytesleft; /* of the frame after this piece */
  size_t len;           /* of this piece */
};

/* Frame types and properties. */
#define CURLWS_TEXT (1 << 0)
#define CURLWS_BINARY (1 << 1)
#define CURLWS_CONT (1 << 2)   /* not the last fragment of its message */
#define CURLWS_CLOSE (1 << 3)
#define CURLWS_PING (1 << 4)
#define CURLWS_OFFSET (1 << 5) /* sending: this is one of several calls for one frame */
#define CURLWS_PONG (1 << 6)

/* Bits of CURLOPT_WS_OPTIONS. */
#define CURLWS_RAW_MODE (1L << 0)   /* frames are the application's business */
#define CURLWS_NOAUTOPONG (1L << 1) /* a PING is not answered by the library */

/* At most buflen bytes of a frame; *metap tells of which. CURLE_AGAIN: nothing there yet;
 * CURLE_GOT_NOTHING: the connection is closed. */
CURL_EXTERN CURLcode curl_ws_recv(CURL *curl, void *buffer, size_t buflen, size_t *recv,
                                  const struct curl_ws_frame **metap);

/* A frame, or with CURLWS_OFFSET a piece of one whose size is fragsize. */
CURL_EXTERN CURLcode curl_ws_send(CURL *curl, const void *buffer_arg, size_t buflen, size_t *sent,
                                  curl_off_t fragsize, unsigned int flags);

/* In a read callback: a frame of these flags and length begins; its payload is what the callback returns. */
CURL_EXTERN CURLcode curl_ws_start_frame(CURL *curl, unsigned int flags, curl_off_t frame_len);

/* In a write callback: the frame that the bytes belong to. NULL outside of one. */
CURL_EXTERN const struct curl_ws_frame *curl_ws_meta(CURL *curl);

#ifdef __cplusplus
}
#endif

#endif
