/* base/error_text.c: a text for each error code. Obsolete codes have the text of unknown ones. */
#include "base/error_text.h"

static const char *const easy_texts[CURL_LAST] = {
  [CURLE_OK] = "No error",
  [CURLE_UNSUPPORTED_PROTOCOL] = "Unsupported protocol",
  [CURLE_FAILED_INIT] = "Initialisation failed",
  [CURLE_URL_MALFORMAT] = "Malformed or missing URL",
  [CURLE_NOT_BUILT_IN] = "The feature is not part of this build of the library",
  [CURLE_COULDNT_RESOLVE_PROXY] = "Could not resolve the proxy's name",
  [CURLE_COULDNT_RESOLVE_HOST] = "Could not resolve the host name",
  [CURLE_COULDNT_CONNECT] = "Could not connect to the server",
  [CURLE_WEIRD_SERVER_REPLY] = "The server's reply makes no sense",
  [CURLE_REMOTE_ACCESS_DENIED] = "The server denies access to the resource",
  [CURLE_FTP_ACCEPT_FAILED] = "FTP: the server failed to connect to the data port",
  [CURLE_FTP_WEIRD_PASS_REPLY] = "FTP: unknown reply to PASS",
  [CURLE_FTP_ACCEPT_TIMEOUT] = "FTP: timeout while waiting for the server to connect",
  [CURLE_FTP_WEIRD_PASV_REPLY] = "FTP: unknown reply to PASV",
  [CURLE_FTP_WEIRD_227_FORMAT] = "FTP: malformed 227 reply",
  [CURLE_FTP_CANT_GET_HOST] = "FTP: the host in the reply to PASV cannot be used",
  [CURLE_HTTP2] = "HTTP/2 framing error",
  [CURLE_FTP_COULDNT_SET_TYPE] = "FTP: could not set the transfer type",
  [CURLE_PARTIAL_FILE] = "The transfer ended before all bytes had come",
  [CURLE_FTP_COULDNT_RETR_FILE] = "FTP: the server refuses to send the file (RETR)",
  [CURLE_QUOTE_ERROR] = "A quote command was refused",
  [CURLE_HTTP_RETURNED_ERROR] = "The HTTP status code says error",
  [CURLE_WRITE_ERROR] = "Writing received data failed",
  [CURLE_UPLOAD_FAILED] = "The upload could not be started",
  [CURLE_READ_ERROR] = "Reading local data failed",
  [CURLE_OUT_OF_MEMORY] = "Out of memory",
  [CURLE_OPERATION_TIMEDOUT] = "Timeout was reached",
  [CURLE_FTP_PORT_FAILED] = "FTP: PORT failed",
  [CURLE_FTP_COULDNT_USE_REST] = "FTP: REST failed",
  [CURLE_RANGE_ERROR] = "The server did not deliver the requested range",
  [CURLE_SSL_CONNECT_ERROR] = "TLS connect error",
  [CURLE_BAD_DOWNLOAD_RESUME] = "Could not resume the download",
  [CURLE_FILE_COULDNT_READ_FILE] = "Could not open the file of a file:// URL",
  [CURLE_LDAP_CANNOT_BIND] = "LDAP: bind failed",
  [CURLE_LDAP_SEARCH_FAILED] = "LDAP: search failed",
  [CURLE_ABORTED_BY_CALLBACK] = "A callback of the application ended the transfer",
  [CURLE_BAD_FUNCTION_ARGUMENT] = "Bad argument to a function of the library",
  [CURLE_INTERFACE_FAILED] = "The local interface or address cannot be used",
  [CURLE_TOO_MANY_REDIRECTS] = "Too many redirects",
  [CURLE_UNKNOWN_OPTION] = "Unknown option",
  [CURLE_SETOPT_OPTION_SYNTAX] = "An option has malformed text",
  [CURLE_GOT_NOTHING] = "The server closed the connection without an answer",
  [CURLE_SSL_ENGINE_NOTFOUND] = "Crypto engine not found",
  [CURLE_SSL_ENGINE_SETFAILED] = "Could not make the crypto engine the default",
  [CURLE_SEND_ERROR] = "Sending data to the peer failed",
  [CURLE_RECV_ERROR] = "Receiving data from the peer failed",
  [CURLE_SSL_CERTPROBLEM] = "The local client certificate cannot be used",
  [CURLE_SSL_CIPHER] = "The requested TLS cipher cannot be used",
  [CURLE_PEER_FAILED_VERIFICATION] = "The peer's certificate or SSH key was not accepted",
  [CURLE_BAD_CONTENT_ENCODING] = "Unknown or bad content or transfer encoding",
  [CURLE_FILESIZE_EXCEEDED] = "The file is larger than allowed",
  [CURLE_USE_SSL_FAILED] = "The requested level of TLS cannot be had",
  [CURLE_SEND_FAIL_REWIND] = "The upload data could not be rewound to send it again",
  [CURLE_SSL_ENGINE_INITFAILED] = "Could not initialise the crypto engine",
  [CURLE_LOGIN_DENIED] = "Login denied",
  [CURLE_TFTP_NOTFOUND] = "TFTP: file not found",
  [CURLE_TFTP_PERM] = "TFTP: access violation",
  [CURLE_REMOTE_DISK_FULL] = "The server's disk is full",
  [CURLE_TFTP_ILLEGAL] = "TFTP: illegal operation",
  [CURLE_TFTP_UNKNOWNID] = "TFTP: unknown transfer ID",
  [CURLE_REMOTE_FILE_EXISTS] = "The file exists on the server already",
  [CURLE_TFTP_NOSUCHUSER] = "TFTP: no such user",
  [CURLE_SSL_CACERT_BADFILE] = "The CA certificates cannot be read (path? permissions? format?)",
  [CURLE_REMOTE_FILE_NOT_FOUND] = "The file does not exist on the server",
  [CURLE_SSH] = "SSH error",
  [CURLE_SSL_SHUTDOWN_FAILED] = "Shutting TLS down failed",
  [CURLE_AGAIN] = "The socket is not ready; wait and try again",
  [CURLE_SSL_CRL_BADFILE] = "The revocation list cannot be read (path? permissions? format?)",
  [CURLE_SSL_ISSUER_ERROR] = "The peer's certificate has another issuer than required",
  [CURLE_FTP_PRET_FAILED] = "FTP: PRET was refused",
  [CURLE_RTSP_CSEQ_ERROR] = "RTSP: wrong or missing CSeq",
  [CURLE_RTSP_SESSION_ERROR] = "RTSP: wrong session ID",
  [CURLE_FTP_BAD_FILE_LIST] = "FTP: the file listing cannot be read",
  [CURLE_CHUNK_FAILED] = "A chunk callback failed",
  [CURLE_NO_CONNECTION_AVAILABLE] = "The limit of connections is reached",
  [CURLE_SSL_PINNEDPUBKEYNOTMATCH] = "The peer's public key is not the pinned one",
  [CURLE_SSL_INVALIDCERTSTATUS] = "The status of the server's certificate is not valid",
  [CURLE_HTTP2_STREAM] = "HTTP/2 stream error",
  [CURLE_RECURSIVE_API_CALL] = "Function called from within a callback",
  [CURLE_AUTH_ERROR] = "An authentication function failed",
  [CURLE_HTTP3] = "HTTP/3 error",
  [CURLE_QUIC_CONNECT_ERROR] = "QUIC connection error",
  [CURLE_PROXY] = "The handshake with the proxy failed",
  [CURLE_SSL_CLIENTCERT] = "The server requires a client certificate",
  [CURLE_UNRECOVERABLE_POLL] = "Waiting for sockets failed for good",
  [CURLE_TOO_LARGE] = "A value or a field is larger than allowed",
  [CURLE_ECH_REQUIRED] = "Encrypted Client Hello failed and is required",
};

static const char *const multi_texts[CURLM_LAST] = {
  [CURLM_OK] = "No error",
  [CURLM_BAD_HANDLE] = "Invalid multi handle",
  [CURLM_BAD_EASY_HANDLE] = "Invalid easy handle",
  [CURLM_OUT_OF_MEMORY] = "Out of memory",
  [CURLM_INTERNAL_ERROR] = "Internal error",
  [CURLM_BAD_SOCKET] = "Invalid socket",
  [CURLM_UNKNOWN_OPTION] = "Unknown option",
  [CURLM_ADDED_ALREADY] = "The easy handle is in a multi handle already",
  [CURLM_RECURSIVE_API_CALL] = "Function called from within a callback",
  [CURLM_WAKEUP_FAILURE] = "Waking up is not available or failed",
  [CURLM_BAD_FUNCTION_ARGUMENT] = "Bad argument to a function of the library",
  [CURLM_ABORTED_BY_CALLBACK] = "A callback of the application returned an error",
  [CURLM_UNRECOVERABLE_POLL] = "Waiting for sockets failed for good",
};

static const char *const share_texts[CURLSHE_LAST] = {
  [CURLSHE_OK] = "No error",
  [CURLSHE_BAD_OPTION] = "Unknown share option",
  [CURLSHE_IN_USE] = "The share is in use",
  [CURLSHE_INVALID] = "Invalid share handle",
  [CURLSHE_NOMEM] = "Out of memory",
  [CURLSHE_NOT_BUILT_IN] = "The feature is not part of this build of the library",
};

static const char *const url_texts[CURLUE_LAST] = {
  [CURLUE_OK] = "No error",
  [CURLUE_BAD_HANDLE] = "Invalid URL handle",
  [CURLUE_BAD_PARTPOINTER] = "Bad pointer for a part",
  [CURLUE_MALFORMED_INPUT] = "Malformed URL",
  [CURLUE_BAD_PORT_NUMBER] = "The port is no decimal number from 0 to 65535",
  [CURLUE_UNSUPPORTED_SCHEME] = "Unsupported URL scheme",
  [CURLUE_URLDECODE] = "The URL cannot be decoded",
  [CURLUE_OUT_OF_MEMORY] = "Out of memory",
  [CURLUE_USER_NOT_ALLOWED] = "The URL has a user name, which is not allowed here",
  [CURLUE_UNKNOWN_PART] = "Unknown part of a URL",
  [CURLUE_NO_SCHEME] = "The URL has no scheme",
  [CURLUE_NO_USER] = "The URL has no user name",
  [CURLUE_NO_PASSWORD] = "The URL has no password",
  [CURLUE_NO_OPTIONS] = "The URL has no login options",
  [CURLUE_NO_HOST] = "The URL has no host",
  [CURLUE_NO_PORT] = "The URL has no port",
  [CURLUE_NO_QUERY] = "The URL has no query",
  [CURLUE_NO_FRAGMENT] = "The URL has no fragment",
  [CURLUE_NO_ZONEID] = "The URL has no zone ID",
  [CURLUE_BAD_FILE_URL] = "Bad file:// URL",
  [CURLUE_BAD_FRAGMENT] = "Bad fragment",
  [CURLUE_BAD_HOSTNAME] = "Bad host name",
  [CURLUE_BAD_IPV6] = "Bad IPv6 address",
  [CURLUE_BAD_LOGIN] = "Bad login part",
  [CURLUE_BAD_PASSWORD] = "Bad password",
  [CURLUE_BAD_PATH] = "Bad path",
  [CURLUE_BAD_QUERY] = "Bad query",
  [CURLUE_BAD_SCHEME] = "Bad scheme",
  [CURLUE_BAD_SLASHES] = "Wrong number of slashes after the scheme",
  [CURLUE_BAD_USER] = "Bad user name",
  [CURLUE_LACKS_IDN] = "International host names are not part of this build of the library",
  [CURLUE_TOO_LARGE] = "The URL or a part of it is too long",
  [CURLUE_BACKSLASH] = "A backslash where a slash is needed",
};

static const char *text(const char *const *texts, unsigned last, int code)
{
  return code >= 0 && (unsigned)code < last && texts[code] ? texts[code] : "Unknown error";
}

const char *mote_error_text(CURLcode error)
{
  return text(easy_texts, CURL_LAST, (int)error);
}

const char *mote_error_multi_text(CURLMcode error)
{
  if(error == CURLM_CALL_MULTI_PERFORM)
    return "Call curl_multi_perform() again";
  return text(multi_texts, CURLM_LAST, (int)error);
}

const char *mote_error_share_text(CURLSHcode error)
{
  return text(share_texts, CURLSHE_LAST, (int)error);
}

const char *mote_error_url_text(CURLUcode error)
{
  return text(url_texts, CURLUE_LAST, (int)error);
}
