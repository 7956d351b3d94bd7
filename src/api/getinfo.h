/* api/getinfo.h: how one CURLINFO is answered; rows of a const table (getinfo_table.c).
 *
 * A number is asked for in up to three types (CURLINFO_SIZE_UPLOAD is a double, _SIZE_UPLOAD_T a curl_off_t);
 * one row answers them all. Plain counters are read at their place in struct mote_run; the rest has a reader.
 *
 * Ownership: texts and structs that are handed out are the option's, the header store's or in run->info: they
 *            stay until the next transfer, curl_easy_reset() or clean-up.
 * Failure:   CURLE_OUT_OF_MEMORY for answers that are made on demand.
 * Tests:     tests/unit/api/test_getinfo.c */
#ifndef MOTE_API_GETINFO_H
#define MOTE_API_GETINFO_H

#include <curl/curl.h>
#include <stdint.h>

#include "api/easy_handle.h"

/* How a row is answered. Fields lie in struct mote_run. */
enum mote_info_from {
  MOTE_INFO_NOTHING,  /* no such info */
  MOTE_INFO_CONSTANT, /* number: always `preset`: the feature is left out */
  MOTE_INFO_U8,       /* number: a field; `preset` before the first transfer */
  MOTE_INFO_U16,
  MOTE_INFO_U32,
  MOTE_INFO_INT,
  MOTE_INFO_OFF,      /* curl_off_t */
  MOTE_INFO_TIME,     /* `at` is an enum mote_mark: microseconds for curl_off_t, seconds for double */
  MOTE_INFO_NUMBER,   /* number: read.number */
  MOTE_INFO_SPAN,     /* the same: read.number */
  MOTE_INFO_TEXT,     /* read.text */
  MOTE_INFO_POINTER   /* read.pointer */
};

struct mote_info_row {
  uint8_t from;    /* enum mote_info_from */
  uint8_t types;   /* bit 1 << (CURLINFO type >> 20): asked for in these types */
  int8_t preset;   /* before the first transfer, and CONSTANT's value */
  uint16_t at;     /* offset of the field in struct mote_run, or enum mote_mark */
  union {
    int64_t (*number)(struct mote_easy *e); /* e->t.run is not NULL */
    CURLcode (*text)(struct mote_easy *e, const char **out);
    CURLcode (*pointer)(struct mote_easy *e, void **out);
  } read;
};

#define MOTE_INFO_TYPE(t) (1u << ((unsigned)(t) >> 20))

/* By number (CURLINFO_MASK). */
extern const struct mote_info_row mote_info_rows[CURLINFO_LASTONE + 1];

/* getinfo_number.c */
int64_t mote_info_total(struct mote_easy *e);          /* µs, so far while the transfer runs */
int64_t mote_info_speed_down(struct mote_easy *e);     /* bytes per second, mean over the total time */
int64_t mote_info_speed_up(struct mote_easy *e);
int64_t mote_info_request_size(struct mote_easy *e);
int64_t mote_info_length_up(struct mote_easy *e);
int64_t mote_info_filetime(struct mote_easy *e);       /* Unix seconds; -1: unknown, or not asked for */
int64_t mote_info_retry_after(struct mote_easy *e);    /* seconds; 0: none */
int64_t mote_info_condition_unmet(struct mote_easy *e);
int64_t mote_info_primary_port(struct mote_easy *e);
int64_t mote_info_local_port(struct mote_easy *e);
int64_t mote_info_protocol(struct mote_easy *e);       /* CURLPROTO_*; 0: there was no connection */
int64_t mote_info_verify_result(struct mote_easy *e);  /* X509_V_*; 0: fine, or no TLS */
int64_t mote_info_socket(struct mote_easy *e);         /* of the last connection while it is open, or -1 */

/* getinfo_text.c */
CURLcode mote_info_effective_url(struct mote_easy *e, const char **out);
CURLcode mote_info_effective_method(struct mote_easy *e, const char **out);
CURLcode mote_info_content_type(struct mote_easy *e, const char **out);
CURLcode mote_info_redirect_url(struct mote_easy *e, const char **out);
CURLcode mote_info_referer(struct mote_easy *e, const char **out);
CURLcode mote_info_primary_ip(struct mote_easy *e, const char **out);
CURLcode mote_info_local_ip(struct mote_easy *e, const char **out);
CURLcode mote_info_private(struct mote_easy *e, const char **out);
CURLcode mote_info_scheme(struct mote_easy *e, const char **out);
CURLcode mote_info_ca_file(struct mote_easy *e, const char **out);
CURLcode mote_info_ca_path(struct mote_easy *e, const char **out);
CURLcode mote_info_no_text(struct mote_easy *e, const char **out); /* NULL: the feature is left out */

/* getinfo_pointer.c */
CURLcode mote_info_certinfo(struct mote_easy *e, void **out);
CURLcode mote_info_tls_ssl(struct mote_easy *e, void **out);
CURLcode mote_info_tls_ctx(struct mote_easy *e, void **out);
CURLcode mote_info_no_list(struct mote_easy *e, void **out); /* NULL: the feature is left out */

#endif
