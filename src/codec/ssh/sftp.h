/* codec/ssh/sftp.h: messages of SFTP version 3 (draft-ietf-secsh-filexfer-02), which is what servers speak.
 *
 * A message has its length in four bytes, a type, an identifier, and what belongs to the type. The bytes of a
 * DATA are given out as they come. Of any other message the caller keeps the bytes that are not used, and
 * offers them again with more: a NAME is used an entry at a time, the others whole.
 *
 * Invariants: never asks for more than MOTE_SFTP_UNIT bytes at once.
 * Ownership:  nothing is allocated; events point into the bytes.
 * Failure:    MOTE_SFTP_BROKEN, after which the channel cannot be read any more.
 * Tests:      tests/unit/codec/test_sftp.c, fuzz/fuzz_sftp.c */
#ifndef MOTE_CODEC_SSH_SFTP_H
#define MOTE_CODEC_SSH_SFTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct mote_out;

#define MOTE_SFTP_VERSION_NUMBER 3u
#define MOTE_SFTP_UNIT 16384u       /* bytes of the longest message or entry of a NAME that is accepted */
#define MOTE_SFTP_HANDLE_MOST 256u  /* bytes of a handle (section 6.3) */
#define MOTE_SFTP_HEAD 9u           /* bytes of length, type and identifier */
#define MOTE_SFTP_ATTRS_MOST 32u    /* bytes that mote_sftp_put_attrs() writes */

enum mote_sftp_type {
  MOTE_SFTP_INIT = 1,
  MOTE_SFTP_VERSION = 2,
  MOTE_SFTP_OPEN = 3,
  MOTE_SFTP_CLOSE = 4,
  MOTE_SFTP_READ = 5,
  MOTE_SFTP_WRITE = 6,
  MOTE_SFTP_LSTAT = 7,
  MOTE_SFTP_FSTAT = 8,
  MOTE_SFTP_SETSTAT = 9,
  MOTE_SFTP_OPENDIR = 11,
  MOTE_SFTP_READDIR = 12,
  MOTE_SFTP_REMOVE = 13,
  MOTE_SFTP_MKDIR = 14,
  MOTE_SFTP_RMDIR = 15,
  MOTE_SFTP_REALPATH = 16,
  MOTE_SFTP_STAT = 17,
  MOTE_SFTP_RENAME = 18,
  MOTE_SFTP_READLINK = 19,
  MOTE_SFTP_SYMLINK = 20,
  MOTE_SFTP_STATUS = 101,
  MOTE_SFTP_HANDLE = 102,
  MOTE_SFTP_DATA = 103,
  MOTE_SFTP_NAME = 104,
  MOTE_SFTP_ATTRS = 105,
  MOTE_SFTP_EXTENDED = 200,
  MOTE_SFTP_EXTENDED_REPLY = 201
};

/* Codes of a STATUS (section 7), and of later versions, which servers use too. */
enum mote_sftp_status {
  MOTE_SFTP_OK = 0,
  MOTE_SFTP_EOF = 1,
  MOTE_SFTP_NO_SUCH_FILE = 2,
  MOTE_SFTP_PERMISSION_DENIED = 3,
  MOTE_SFTP_FAILURE = 4,
  MOTE_SFTP_UNSUPPORTED = 8,
  MOTE_SFTP_NO_SUCH_PATH = 10,
  MOTE_SFTP_EXISTS = 11,
  MOTE_SFTP_WRITE_PROTECT = 12,
  MOTE_SFTP_NO_SPACE = 14,
  MOTE_SFTP_QUOTA = 15,
  MOTE_SFTP_LOCKED = 17
};

/* Flags of an OPEN. */
#define MOTE_SFTP_READS 1u
#define MOTE_SFTP_WRITES 2u
#define MOTE_SFTP_APPENDS 4u
#define MOTE_SFTP_CREATES 8u
#define MOTE_SFTP_TRUNCATES 16u

/* Which attributes are there. */
#define MOTE_SFTP_HAS_SIZE 1u
#define MOTE_SFTP_HAS_OWNER 2u
#define MOTE_SFTP_HAS_MODE 4u
#define MOTE_SFTP_HAS_TIMES 8u

struct mote_sftp_attrs {
  uint32_t flags;        /* MOTE_SFTP_HAS_*; what a flag is absent for is 0 */
  uint64_t size;         /* bytes */
  uint32_t uid, gid;
  uint32_t mode;         /* as st_mode has it: type and permissions */
  uint32_t atime, mtime; /* seconds since 1970 */
};

/* How far a message has come. Zero: the next byte begins one. */
struct mote_sftp_in {
  uint32_t left;  /* bytes of the message that are still to come */
  uint32_t more;  /* DATA: bytes of data still to come; NAME: entries */
  uint32_t id;
  uint8_t type;   /* enum mote_sftp_type, 0: none */
};

struct mote_sftp_event {
  uint8_t type;     /* enum mote_sftp_type; 0: more bytes are needed */
  bool broken;      /* the bytes are no SFTP */
  bool end;         /* the message is over */
  uint32_t id;      /* of the request that this answers; VERSION: the version */
  uint32_t code;    /* STATUS: enum mote_sftp_status */
  struct mote_slice text;  /* STATUS: the message. HANDLE, DATA (a piece): the bytes. NAME: the file's name;
                              NULL: there is no entry. EXTENDED_REPLY: all of it */
  struct mote_slice text2; /* NAME: the line of a list that it stands in */
  struct mote_sftp_attrs attrs; /* NAME, ATTRS */
};

/* Takes bytes up to the next event. Returns how many it has used. Without an event it needs more than the
 * bytes that are left. */
size_t mote_sftp_feed(struct mote_sftp_in *in, const char *bytes, size_t len, struct mote_sftp_event *event);

/* ---- writing; numbers are those of mote_out_32() and mote_out_64() ---- */

/* Begins a message, whose length mote_sftp_end() writes. */
void mote_sftp_begin(struct mote_out *o, enum mote_sftp_type type, uint32_t id);
void mote_sftp_put_text(struct mote_out *o, struct mote_slice text);
void mote_sftp_put_attrs(struct mote_out *o, const struct mote_sftp_attrs *attrs);
/* Ends the message that begins at this byte of what was written; `more` bytes follow, which the caller
 * writes. Also ends a text whose length was not known before. */
void mote_sftp_end(struct mote_out *o, size_t from, size_t more);
/* Reads numbers of an EXTENDED_REPLY. The bytes are there. */
uint32_t mote_sftp_number(const char *at);
uint64_t mote_sftp_long(const char *at);

#endif
