/* codec/ftp/listing.h: reads listings of FTP servers line by line, as they answer LIST or MLSD.
 *
 * Three forms are known: that of `ls -l`, that of DOS and Windows, and the facts of MLSD (RFC 3659 section
 * 7). The first line decides which one a listing has. What is read was compared with libcurl 8.23, with
 * these differences: the line "total N" of `ls` is passed over, and a mark after the permissions (of access
 * control lists), the two numbers of a device in the place of its size, years of four digits in the form of
 * DOS, and MLSD are understood.
 *
 * A name with a slash is not one of this directory, and is passed over, so that no server chooses where a
 * program that uses the name writes to. The names "." and ".." are delivered as libcurl does.
 *
 * Nothing is allocated; what is read are slices of the line.
 *
 * Errors: MOTE_LISTING_BAD: a line that has none of these forms, or another one than the first; a NUL or CR
 *         in it; a size above 2^63-1.
 * Bounds: each byte of a line is read a fixed number of times.
 * Tests:  tests/unit/codec/test_listing.c, fuzz/fuzz_listing.c */
#ifndef MOTE_CODEC_FTP_LISTING_H
#define MOTE_CODEC_FTP_LISTING_H

#include <stdint.h>

#include "base/text.h"

/* Longest line, its end included: that of a path of 4,096 bytes with all of MLSD's facts, and a symbolic
 * link's target as long. A server that sends more without a line's end makes the caller hold it. */
#define MOTE_LISTING_LINE_MAX 10000u

enum mote_listing_form {
  MOTE_LISTING_ANY, /* no line was read */
  MOTE_LISTING_UNIX,
  MOTE_LISTING_DOS,
  MOTE_LISTING_FACTS
};

enum mote_listing {
  MOTE_LISTING_FILE, /* the line is about a file: what is known of it was set */
  MOTE_LISTING_NONE, /* the line is about none */
  MOTE_LISTING_BAD
};

/* A slice with ptr NULL: not known. */
struct mote_listing_file {
  struct mote_slice name;        /* never empty */
  struct mote_slice target;      /* of a symbolic link */
  struct mote_slice permissions; /* nine letters, as in "rw-r--r--"; of MLSD the digits of UNIX.mode */
  struct mote_slice user;
  struct mote_slice group;
  struct mote_slice time; /* as the server wrote it */
  int64_t size;           /* bytes */
  int64_t links;          /* hard links */
  uint32_t uid;           /* MLSD's UNIX.uid */
  uint32_t gid;           /* MLSD's UNIX.gid */
  uint16_t mode;          /* permissions as bits, at most 07777 */
  uint8_t type;           /* CURLFILETYPE_* */
  uint8_t known;          /* CURLFINFOFLAG_KNOWN_* of mode, uid, gid, size, links */
};

/* Takes the next line, without its end (LF or CR LF), off the front of the bytes. False: its end has not
 * come. */
bool mote_listing_next(struct mote_slice *bytes, struct mote_slice *line);

/* Reads a line without its end. `form` is MOTE_LISTING_ANY before the first one. */
enum mote_listing mote_listing_line(enum mote_listing_form *form, struct mote_slice line,
                                    struct mote_listing_file *file);

#endif
