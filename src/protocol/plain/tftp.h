/* protocol/plain/tftp.h: TFTP (RFC 1350, with the options of RFC 2347 to 2349), a transfer of one file.
 *
 * The request goes to the port of the URL, and the server answers from another one, which it chooses for this
 * transfer. From then on the socket is connected to that, so that no other host or port can disturb it. A
 * block is received into memory of the transfer, given to the application, and then acknowledged; or it is
 * read from the application, sent, and kept until its acknowledgement. What is not answered is sent again,
 * after a time and a number of times that follow the timeouts of the transfer as in libcurl. A doubled
 * acknowledgement has nothing sent again (RFC 1123 section 4.2.3.1).
 *
 * Ownership: the state lies in the connection, which is not reusable. Its block belongs to the handle's
 *            account until the end of the exchange.
 * Errors:    CURLE_TFTP_*, CURLE_REMOTE_*: those of the server; CURLE_TFTP_ILLEGAL also for what is no TFTP
 *            and for a name that does not fit; CURLE_COULDNT_CONNECT: no answer; CURLE_OPERATION_TIMEDOUT: no
 *            more of them; CURLE_PROXY: there is a proxy, through which no datagram goes.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_tftp.py */
#ifndef MOTE_PROTOCOL_PLAIN_TFTP_H
#define MOTE_PROTOCOL_PLAIN_TFTP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "net/conn.h"
#include "protocol/conversation.h"
#include "transfer/transfer.h"

struct mote_protocol;
struct mote_tftp_packet;

/* The stages (protocol/conversation.h), each of which is asked until it is over. */
enum mote_tftp_stage {
  MOTE_TFTP_ASK,     /* the request is to be sent */
  MOTE_TFTP_ASKED,   /* its answer is waited for, from any port of the server */
  MOTE_TFTP_WAIT,    /* the next block, or the acknowledgement of the last one, is waited for */
  MOTE_TFTP_DELIVER, /* a block is given to the application */
  MOTE_TFTP_FILL,    /* a block is read from the application */
  MOTE_TFTP_OVER
};

/* The state of a connection (struct mote_protocol.conn_size). */
struct mote_tftp {
  struct mote_talk talk;
  char *block;        /* `room` bytes for a packet of data: the one received, or the one sent last */
  uint32_t room;      /* one more than the longest packet has, so that a longer one is noticed */
  uint32_t len;       /* bytes of the block's data */
  uint32_t at;        /* how many of them the application has got */
  uint16_t size;      /* bytes of a whole block */
  uint16_t port;      /* of the server, once it is pinned */
  uint16_t number;    /* of the block that was received or sent last, modulo 65,536 */
  uint8_t tries;      /* how often the last packet was sent again */
  uint8_t tries_most;
  uint16_t interval;  /* seconds after which it is */
  uint16_t wished;    /* bytes of a block that this transfer asks for */
  bool pinned : 1;    /* the socket is connected to the server's port of this transfer */
  bool uploads : 1;
  bool last : 1;      /* this block is the last one */
  bool refused : 1;   /* the server has sent an error, and gets none */
};

static inline struct mote_tftp *mote_tftp_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

extern const struct mote_protocol mote_protocol_tftp;

/* ---- protocol/plain/tftp_packets.c ---- */

/* Returns the file's name as the URL has it, without the mode, which is in *netascii. */
struct mote_slice mote_tftp_path(const struct mote_transfer *t, bool *netascii);
/* Sends the request, and the timer begins. */
CURLcode mote_tftp_send_request(struct mote_transfer *t, mote_time now);
/* Sends the block, or the acknowledgement of the one received, and the timer begins. */
CURLcode mote_tftp_send_block(struct mote_transfer *t, mote_time now);
CURLcode mote_tftp_send_ack(struct mote_transfer *t, mote_time now);
/* Reports to the server that the transfer has ended. */
void mote_tftp_send_error(struct mote_transfer *t);
/* Sends what was sent last again, if it is time. CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT: that was
 * done often enough. */
CURLcode mote_tftp_retry(struct mote_transfer *t, mote_time now);
/* Takes the next packet into `room` bytes. CURLE_AGAIN: there is none. One that is not the server's has
 * code 0. */
CURLcode mote_tftp_receive(struct mote_transfer *t, char *bytes, size_t room, struct mote_tftp_packet *p);

#endif
