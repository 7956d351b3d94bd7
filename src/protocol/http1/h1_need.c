/* protocol/http1/h1_need.c: the most memory that the requests and responses of one transfer take. */
#include <string.h>

#include "base/buf.h"
#include "codec/limits.h"
#include "engine/need/need.h"
#include "protocol/http1/h1.h"
#include "transfer/download/headers.h"
#include "transfer/pump/pump.h"
#include "transfer/upload/source.h"

#define PIECE (MOTE_PUMP_ROOM + MOTE_H1_FRAMING) /* bytes of the largest piece of a body that is sent */

#define FIELD_ROOM 32u   /* bytes around a custom header; "Transfer-Encoding: " and CRLF are 21 */
#define FIXED_FIELDS 1024u /* bytes of names, numbers, dates, line ends of all other fields: 600 */

/* Returns the length of all string options. Each may be in a head once. */
static size_t strings_of(const struct mote_transfer *t)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER);
  size_t sum = mote_options_text(&t->options);
  for(; l; l = l->next)
    sum = mote_ceiling_sum(sum, strlen(l->data) + FIELD_ROOM);
  return sum;
}

/* The URL is in the request target (bytes above 127 as %xx), in Host and Referer. Its credentials and those
 * of the options are there in base64. */
static size_t head_most(const struct mote_transfer *t, const struct mote_need_chain *chain)
{
  size_t texts = mote_ceiling_sum(mote_ceiling_times(chain->url, 7), mote_ceiling_times(strings_of(t), 2));
  return mote_ceiling_sum(texts, FIXED_FIELDS);
}

static bool has_body(const struct mote_transfer *t)
{
  return mote_opt_find_long(&t->options, MOTE_OPT_METHOD, MOTE_METHOD_GET) >= MOTE_METHOD_POST;
}

/* One block at a time waits to be sent. It holds a head, or what a short send left of a piece. The trailers
 * have a block of their own. */
static void add_request(const struct mote_transfer *t, const struct mote_need_chain *chain,
                        struct mote_need_sums *sums)
{
  size_t buffer = (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t head = head_most(t, chain), unsent = head < buffer ? head : buffer;
  if(has_body(t)) {
    mote_ceiling_add(&sums->easy, 1, MOTE_OPTION_BLOCK(&t->options, MOTE_SOURCE_BYTES));
    mote_ceiling_add(&sums->multi, 1, PIECE);
    unsent = buffer > PIECE ? buffer : PIECE;
    if(mote_opt_fn(&t->options, CURLOPT_TRAILERFUNCTION)) {
      mote_buf_ceiling(MOTE_H1_TRAILERS_MAX, &sums->easy);
      mote_ceiling_add(&sums->easy, 1, mote_kept_size(MOTE_H1_TRAILERS_MAX));
    }
  }
  mote_ceiling_add(&sums->easy, 1, mote_kept_size(unsent));
  if(head > buffer) { /* the writer doubles its room and copies from the old block */
    mote_ceiling_add(&sums->easy, 1, mote_ceiling_sum(mote_kept_size(0), head));
    mote_ceiling_add(&sums->easy, 1, mote_ceiling_sum(mote_kept_size(0), mote_ceiling_times(head, 2)));
  }
  mote_buf_ceiling(mote_ceiling_sum(mote_options_text(&t->options), chain->url), &sums->easy);
}

/* A 401 and a 417 may each cause the request to be sent again. */
static void add_response(const struct mote_transfer *t, const struct mote_need_chain *chain,
                         struct mote_need_sums *sums)
{
  size_t again = (size_t)mote_opt_is_set(&t->options, CURLOPT_HTTPAUTH) + (size_t)has_body(t);
  size_t requests = mote_ceiling_sum(chain->hops, 1 + again);
  size_t lines = mote_ceiling_times(requests, MOTE_HTTP1_MAX_HEAD + MOTE_CHUNKED_MAX_TRAILERS);
  bool own = mote_opt_fn(&t->options, CURLOPT_WRITEFUNCTION) != NULL;
  bool own_header = own || mote_opt_fn(&t->options, CURLOPT_HEADERFUNCTION);
  size_t chunk = own ? CURL_MAX_WRITE_SIZE : 0;
  if(own_header && (mote_opt_fn(&t->options, CURLOPT_HEADERFUNCTION) ||
                    mote_opt_ptr(&t->options, CURLOPT_HEADERDATA) ||
                    mote_opt_long(&t->options, CURLOPT_HEADER)))
    chunk = MOTE_HTTP1_MAX_LINE + 1; /* with the NUL after a line */
  if(mote_opt_is_set(&t->options, CURLOPT_HTTPAUTH)) { /* the remembered origin, and its option */
    mote_ceiling_add(&sums->easy, 2, mote_ceiling_sum(chain->url, 128));
    mote_ceiling_add(&sums->easy, 2, (t->options.count + 16u) * sizeof(struct mote_option));
  }
  mote_headers_ceiling(lines, MOTE_HTTP1_MAX_LINE, requests, &sums->easy);
  mote_ceiling_add(&sums->easy, chunk != 0, mote_kept_size(chunk));
  mote_conn_held_ceiling((size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE), MOTE_HTTP1_MAX_LINE,
                         &sums->multi);
}

CURLcode mote_h1_ceiling(const struct mote_transfer *t, const struct mote_need_chain *chain,
                           struct mote_need_sums *sums)
{
  if(mote_opt_long(&t->options, CURLOPT_TRANSFER_ENCODING) ||
     mote_opt_is_set(&t->options, CURLOPT_AWS_SIGV4) ||
     mote_opt_is_set(&t->options, CURLOPT_HTTPSIG_ALGORITHM) ||
     (mote_opt_str(&t->options, CURLOPT_ACCEPT_ENCODING) &&
      mote_opt_long(&t->options, CURLOPT_HTTP_CONTENT_DECODING)))
    return CURLE_TOO_LARGE;
  add_request(t, chain, sums);
  add_response(t, chain, sums);
  return CURLE_OK;
}
