/* api/getinfo_table.c: the rows of curl_easy_getinfo().
 *
 * docs/compat-info.md is made from this table (tools/gen_info.py): a comment in front of a row tells why it
 * is "constant" or how it "differs" from libcurl 7.88.1. */
#include <stddef.h>

#include "api/getinfo.h"
#include "transfer/transfer.h"

#define STRING MOTE_INFO_TYPE(CURLINFO_STRING)
#define LONG MOTE_INFO_TYPE(CURLINFO_LONG)
#define DOUBLE MOTE_INFO_TYPE(CURLINFO_DOUBLE)
#define LIST MOTE_INFO_TYPE(CURLINFO_PTR) /* CURLINFO_SLIST is the same */
#define SOCKET MOTE_INFO_TYPE(CURLINFO_SOCKET)
#define OFF MOTE_INFO_TYPE(CURLINFO_OFF_T)

#define AT(info) [(info) & CURLINFO_MASK]
#define FIELD(kind, member) .from = MOTE_INFO_##kind, .at = offsetof(struct mote_run, member)
#define MARK(which) .from = MOTE_INFO_TIME, .at = MOTE_MARK_##which
#define NUMBER(fn) .from = MOTE_INFO_NUMBER, .read.number = fn
#define SPAN(fn) .from = MOTE_INFO_SPAN, .read.number = fn
#define TEXT(fn) .from = MOTE_INFO_TEXT, .types = STRING, .read.text = fn
#define POINTER(fn) .from = MOTE_INFO_POINTER, .types = LIST, .read.pointer = fn
#define UNKNOWN_SIZE .types = DOUBLE | OFF, .preset = -1
#define CONSTANT(value) .from = MOTE_INFO_CONSTANT, .preset = value

const struct mote_info_row mote_info_rows[CURLINFO_LASTONE + 1] = {
  /* differs: stays until the next transfer begins; a refused URL is shown as it was set, not as an error */
  AT(CURLINFO_EFFECTIVE_URL) = {TEXT(mote_info_effective_url)},
  AT(CURLINFO_RESPONSE_CODE) = {FIELD(U16, response_code), .types = LONG},
  AT(CURLINFO_TOTAL_TIME) = {SPAN(mote_info_total), .types = DOUBLE},
  /* differs: 0 on a connection that is used again, where there is no lookup */
  AT(CURLINFO_NAMELOOKUP_TIME) = {MARK(NAME), .types = DOUBLE},
  AT(CURLINFO_CONNECT_TIME) = {MARK(CONNECT), .types = DOUBLE},
  AT(CURLINFO_PRETRANSFER_TIME) = {MARK(PRETRANSFER), .types = DOUBLE},
  /* differs: counts the framing of a chunked body, as in libcurl 8 */
  AT(CURLINFO_SIZE_UPLOAD_T) = {FIELD(OFF, bytes_up), .types = DOUBLE | OFF},
  /* differs: counts a body that an unmet condition keeps */
  AT(CURLINFO_SIZE_DOWNLOAD_T) = {FIELD(OFF, bytes_down), .types = DOUBLE | OFF},
  AT(CURLINFO_SPEED_DOWNLOAD_T) = {NUMBER(mote_info_speed_down), .types = DOUBLE | OFF},
  AT(CURLINFO_SPEED_UPLOAD_T) = {NUMBER(mote_info_speed_up), .types = DOUBLE | OFF},
  /* differs: trailers are counted, too, as in libcurl 8 */
  AT(CURLINFO_HEADER_SIZE) = {FIELD(U32, header_size), .types = LONG},
  AT(CURLINFO_REQUEST_SIZE) = {NUMBER(mote_info_request_size), .types = LONG},
  /* differs: of this transfer alone, not left over from an earlier one of the handle */
  AT(CURLINFO_SSL_VERIFYRESULT) = {NUMBER(mote_info_verify_result), .types = LONG},
  /* differs: of the last response alone, not of a redirect before it */
  AT(CURLINFO_FILETIME_T) = {NUMBER(mote_info_filetime), .types = LONG | OFF, .preset = -1},
  AT(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) = {FIELD(OFF, size_down), UNKNOWN_SIZE},
  AT(CURLINFO_CONTENT_LENGTH_UPLOAD_T) = {NUMBER(mote_info_length_up), UNKNOWN_SIZE},
  AT(CURLINFO_STARTTRANSFER_TIME) = {MARK(STARTTRANSFER), .types = DOUBLE},
  /* differs: of the last response alone, not of a redirect before it */
  AT(CURLINFO_CONTENT_TYPE) = {TEXT(mote_info_content_type)},
  AT(CURLINFO_REDIRECT_TIME) = {MARK(REDIRECT), .types = DOUBLE},
  AT(CURLINFO_REDIRECT_COUNT) = {FIELD(U16, redirects), .types = LONG},
  AT(CURLINFO_PRIVATE) = {TEXT(mote_info_private)},
  /* constant: no proxies */
  AT(CURLINFO_HTTP_CONNECTCODE) = {CONSTANT(0), .types = LONG},
  AT(CURLINFO_HTTPAUTH_AVAIL) = {FIELD(U8, auth_avail), .types = LONG},
  /* constant: no proxies */
  AT(CURLINFO_PROXYAUTH_AVAIL) = {CONSTANT(0), .types = LONG},
  AT(CURLINFO_OS_ERRNO) = {FIELD(U16, os_errno), .types = LONG},
  AT(CURLINFO_NUM_CONNECTS) = {FIELD(U32, conn_count), .types = LONG},
  /* constant: no engines of the TLS library */
  AT(CURLINFO_SSL_ENGINES) = {POINTER(mote_info_no_list)},
  /* constant: no cookies */
  AT(CURLINFO_COOKIELIST) = {POINTER(mote_info_no_list)},
  AT(CURLINFO_LASTSOCKET) = {NUMBER(mote_info_socket), .types = LONG, .preset = -1},
  /* constant: no FTP */
  AT(CURLINFO_FTP_ENTRY_PATH) = {TEXT(mote_info_no_text)},
  AT(CURLINFO_REDIRECT_URL) = {TEXT(mote_info_redirect_url)},
  AT(CURLINFO_PRIMARY_IP) = {TEXT(mote_info_primary_ip)},
  AT(CURLINFO_APPCONNECT_TIME) = {MARK(APPCONNECT), .types = DOUBLE},
  /* differs: told for a connection that is used again, too */
  AT(CURLINFO_CERTINFO) = {POINTER(mote_info_certinfo)},
  AT(CURLINFO_CONDITION_UNMET) = {NUMBER(mote_info_condition_unmet), .types = LONG},
  /* constant: no RTSP */
  AT(CURLINFO_RTSP_SESSION_ID) = {TEXT(mote_info_no_text)},
  /* constant: no RTSP */
  AT(CURLINFO_RTSP_CLIENT_CSEQ) = {CONSTANT(0), .types = LONG},
  /* constant: no RTSP */
  AT(CURLINFO_RTSP_SERVER_CSEQ) = {CONSTANT(0), .types = LONG},
  /* constant: no RTSP */
  AT(CURLINFO_RTSP_CSEQ_RECV) = {CONSTANT(0), .types = LONG},
  AT(CURLINFO_PRIMARY_PORT) = {NUMBER(mote_info_primary_port), .types = LONG, .preset = -1},
  AT(CURLINFO_LOCAL_IP) = {TEXT(mote_info_local_ip)},
  AT(CURLINFO_LOCAL_PORT) = {NUMBER(mote_info_local_port), .types = LONG, .preset = -1},
  AT(CURLINFO_TLS_SESSION) = {POINTER(mote_info_tls_ctx)},
  AT(CURLINFO_ACTIVESOCKET) = {NUMBER(mote_info_socket), .types = SOCKET, .preset = -1},
  AT(CURLINFO_TLS_SSL_PTR) = {POINTER(mote_info_tls_ssl)},
  AT(CURLINFO_HTTP_VERSION) = {FIELD(U8, http_version), .types = LONG},
  /* constant: no proxies */
  AT(CURLINFO_PROXY_SSL_VERIFYRESULT) = {CONSTANT(0), .types = LONG},
  AT(CURLINFO_PROTOCOL) = {NUMBER(mote_info_protocol), .types = LONG},
  /* differs: in lower case, as in libcurl 8 */
  AT(CURLINFO_SCHEME) = {TEXT(mote_info_scheme)},
  AT(CURLINFO_TOTAL_TIME_T) = {SPAN(mote_info_total), .types = OFF},
  /* differs: 0 on a connection that is used again, where there is no lookup */
  AT(CURLINFO_NAMELOOKUP_TIME_T) = {MARK(NAME), .types = OFF},
  AT(CURLINFO_CONNECT_TIME_T) = {MARK(CONNECT), .types = OFF},
  AT(CURLINFO_PRETRANSFER_TIME_T) = {MARK(PRETRANSFER), .types = OFF},
  AT(CURLINFO_STARTTRANSFER_TIME_T) = {MARK(STARTTRANSFER), .types = OFF},
  AT(CURLINFO_REDIRECT_TIME_T) = {MARK(REDIRECT), .types = OFF},
  AT(CURLINFO_APPCONNECT_TIME_T) = {MARK(APPCONNECT), .types = OFF},
  /* differs: 0 for a date in the past; of the last response alone, not of a redirect before it */
  AT(CURLINFO_RETRY_AFTER) = {NUMBER(mote_info_retry_after), .types = OFF},
  AT(CURLINFO_EFFECTIVE_METHOD) = {TEXT(mote_info_effective_method)},
  /* constant: no proxies */
  AT(CURLINFO_PROXY_ERROR) = {CONSTANT(0), .types = LONG},
  AT(CURLINFO_REFERER) = {TEXT(mote_info_referer)},
  AT(CURLINFO_CAINFO) = {TEXT(mote_info_ca_file)},
  AT(CURLINFO_CAPATH) = {TEXT(mote_info_ca_path)},
  AT(CURLINFO_XFER_ID) = {FIELD(INT, xfer_id), .types = OFF, .preset = -1},
  AT(CURLINFO_CONN_ID) = {FIELD(INT, conn_id), .types = OFF, .preset = -1},
  AT(CURLINFO_QUEUE_TIME_T) = {MARK(QUEUE), .types = OFF},
  /* constant: no proxies */
  AT(CURLINFO_USED_PROXY) = {CONSTANT(0), .types = LONG},
  AT(CURLINFO_POSTTRANSFER_TIME_T) = {MARK(POSTTRANSFER), .types = OFF},
  /* constant: no early data in TLS */
  AT(CURLINFO_EARLYDATA_SENT_T) = {CONSTANT(0), .types = OFF},
  AT(CURLINFO_HTTPAUTH_USED) = {FIELD(U8, auth_used), .types = LONG},
  /* constant: no proxies */
  AT(CURLINFO_PROXYAUTH_USED) = {CONSTANT(0), .types = LONG},
  AT(CURLINFO_SIZE_DELIVERED) = {FIELD(OFF, delivered), .types = OFF},
};
