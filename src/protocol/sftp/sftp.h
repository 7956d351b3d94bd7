/* protocol/sftp/sftp.h: one exchange of SFTP on a connection of SSH (protocol/ssh/ssh.h): a file or a
 * directory is downloaded, or a file uploaded, with the commands of CURLOPT_QUOTE(3) before and after it.
 *
 * A stage (protocol/conversation.h) sends one request and takes its answer, but for the two that move a
 * file, where 512 KB are asked for ahead of what has come, or sent ahead of what is acknowledged, whatever
 * CURLOPT_BUFFERSIZE is. A server that answers them in another order, or with less than was asked for, is
 * asked again from there on, and less at once. An answer without bytes is an error.
 *
 * Ownership: struct mote_ssh, the connection's state, has the exchange's.
 * Errors:    CURLE_REMOTE_FILE_NOT_FOUND, CURLE_REMOTE_ACCESS_DENIED, CURLE_REMOTE_FILE_EXISTS,
 *            CURLE_REMOTE_DISK_FULL, CURLE_QUOTE_ERROR, CURLE_UPLOAD_FAILED, CURLE_BAD_DOWNLOAD_RESUME,
 *            CURLE_RANGE_ERROR, CURLE_PARTIAL_FILE, CURLE_SSH, CURLE_WEIRD_SERVER_REPLY, and those of
 *            protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_sftp.py, test_ssh_kept.py */
#ifndef MOTE_PROTOCOL_SFTP_SFTP_H
#define MOTE_PROTOCOL_SFTP_SFTP_H

#include "codec/ssh/sftp.h"
#include "protocol/ssh/ssh.h"

#define MOTE_SFTP_CHUNK 32768u      /* bytes of a READ or WRITE; every server takes that */
#define MOTE_SFTP_REQUESTS 16u      /* of them under way: 512 KB */
#define MOTE_SFTP_PATH_MOST 8192u   /* bytes of a path in a request */

enum mote_sftp_stage {
  MOTE_SFTP_QUOTE = MOTE_SSH_READY + 1, /* the commands of CURLOPT_QUOTE */
  MOTE_SFTP_FILE,     /* they are over */
  MOTE_SFTP_RESUME,   /* asks how much of an upload is there */
  MOTE_SFTP_OPENING,  /* OPEN or OPENDIR */
  MOTE_SFTP_MAKING,   /* MKDIR of what an upload lacks */
  MOTE_SFTP_SIZING,   /* FSTAT of a download */
  MOTE_SFTP_READING,
  MOTE_SFTP_WRITING,
  MOTE_SFTP_NAMES,    /* READDIR */
  MOTE_SFTP_LINK,     /* READLINK, for the line of a symbolic link */
  MOTE_SFTP_CLOSING,
  MOTE_SFTP_POSTQUOTE,
  MOTE_SFTP_OVER
};

/* ---- sftp_message.c ---- */

/* What of the channel lies in the multi's buffer during a step. */
struct mote_sftp_reader {
  char *buffer;
  size_t size; /* bytes of it */
  size_t at;   /* bytes that are used */
  size_t len;  /* bytes that have come */
  size_t most; /* bytes of the channel that may still be read; a speed limit lowers it */
};

/* Begins to read: takes what was held back. CURLE_OUT_OF_MEMORY. */
CURLcode mote_sftp_reader_begin(struct mote_transfer *t, struct mote_ssh *s, struct mote_sftp_reader *r);
/* Holds back what was not used. It must come before anything else uses the buffer, and after the last use of
 * what an event points to. rc is returned, unless that fails. */
CURLcode mote_sftp_reader_end(struct mote_ssh *s, struct mote_sftp_reader *r, CURLcode rc);
/* Reads up to the next event. CURLE_AGAIN: wait. CURLE_WEIRD_SERVER_REPLY, CURLE_RECV_ERROR. */
CURLcode mote_sftp_read_event(struct mote_transfer *t, struct mote_ssh *s, struct mote_sftp_reader *r,
                              struct mote_sftp_event *e);

/* Gives the stage the events of answers until it has moved on, nothing more has come, or others get their
 * turn (struct mote_talk_row.hear). */
mote_talk_ask mote_sftp_hear;

/* Begins a request with the next identifier, which becomes the stage's. */
void mote_sftp_request(struct mote_ssh *s, struct mote_out *o, enum mote_sftp_type type);
/* Ends and sends it. CURLE_TOO_LARGE: it was cut. */
CURLcode mote_sftp_send(struct mote_transfer *t, struct mote_ssh *s, struct mote_out *message);
/* Makes a writer of `paths` times MOTE_SFTP_PATH_MOST bytes into the multi's buffer. CURLE_OUT_OF_MEMORY. */
CURLcode mote_sftp_open_room(struct mote_transfer *t, struct mote_out *o, uint32_t paths);
/* Sends a request about the open handle. */
CURLcode mote_sftp_send_handle(struct mote_transfer *t, struct mote_ssh *s, enum mote_sftp_type type);
/* Writes the path of the URL as a text. CURLE_TOO_LARGE: it is too long for MOTE_SFTP_PATH_MOST. Any other
 * error is that of a path with a NUL, and was reported. */
CURLcode mote_sftp_put_path(struct mote_transfer *t, struct mote_ssh *s, struct mote_out *o);

/* Fails with the code that stands for a STATUS. The connection stays in order. */
CURLcode mote_sftp_refused(struct mote_transfer *t, struct mote_ssh *s, uint32_t status, CURLcode otherwise,
                           const char *what);
/* Fails since an answer is not one to what was asked. */
CURLcode mote_sftp_unexpected(struct mote_transfer *t);

/* ---- sftp_read.c ---- */
mote_talk_ask mote_sftp_choose, mote_sftp_ask_open, mote_sftp_ask_close, mote_sftp_ask_size,
  mote_sftp_ask_ahead;
mote_talk_take mote_sftp_take_open, mote_sftp_take_close, mote_sftp_take_size, mote_sftp_take_data;

/* ---- sftp_list.c ---- */
mote_talk_ask mote_sftp_ask_names, mote_sftp_ask_link;
mote_talk_take mote_sftp_take_names, mote_sftp_take_link;

/* ---- sftp_write.c ---- */
mote_talk_ask mote_sftp_ask_resume, mote_sftp_ask_make, mote_sftp_write_on;
mote_talk_take mote_sftp_take_resume, mote_sftp_take_make, mote_sftp_take_write;

/* Writes flags and attributes of an upload's OPEN. */
void mote_sftp_put_write_flags(struct mote_transfer *t, const struct mote_ssh *s, struct mote_out *o);
/* An upload's OPEN was refused: the directories are made, or it fails. */
CURLcode mote_sftp_write_refused(struct mote_transfer *t, struct mote_ssh *s, uint32_t status);
/* The file is open. */
CURLcode mote_sftp_write_begin(struct mote_transfer *t, struct mote_ssh *s);

/* ---- sftp_quote.c ---- */
mote_talk_ask mote_sftp_ask_quote;
mote_talk_take mote_sftp_take_quote;

/* Goes to QUOTE or POSTQUOTE. */
CURLcode mote_sftp_quote(struct mote_transfer *t, struct mote_ssh *s, enum mote_sftp_stage stage);

/* ---- sftp_session.c ---- */

/* struct mote_protocol: greets the server, for both schemes. */
CURLcode mote_sftp_greet(struct mote_transfer *t, mote_time now);
/* struct mote_protocol.prepare of both; .login is mote_http_identity(). */
CURLcode mote_sftp_prepare(struct mote_transfer *t);

/* What the rows of SFTP and SCP (struct mote_protocol) have alike. */
#define MOTE_SFTP_ROW \
  .conn_size = sizeof(struct mote_ssh), .driver = &mote_ssh_driver, .login = mote_http_identity, \
  .prepare = mote_sftp_prepare, .greet = mote_sftp_greet

extern const struct mote_protocol mote_protocol_sftp, mote_protocol_scp;

#endif
