/* protocol/ssh/ssh_memory.h: the allocator of one SSH session; all that libssh2 asks for comes from here.
 *
 * libssh2 asks for a block with every packet and frees it when it is read, mostly in the same few sizes. A
 * freed block goes to the spare ones of its size and is handed out again, so that a transfer that goes on
 * as before allocates nothing. Each block has its size and its place in a list in 24 bytes in front of it:
 * libssh2 1.11 never frees the IVs of AES-GCM, so what it holds at the end of the session is freed here.
 *
 * Invariants: live <= MOTE_SSH_MEMORY_MOST: what a server sends without being asked ends the session.
 *             spare <= MOTE_SSH_SPARE.
 * Ownership:  the connection's state embeds the struct. All is charged to the account that init got, part
 *             CONN. mote_ssh_memory_close() follows libssh2_session_free().
 * Failure:    NULL to libssh2, which reports LIBSSH2_ERROR_ALLOC. Before that, all spare blocks are given
 *             back and the allocator is asked again.
 * A static block (mote_init_static) has no bytes to spare: there, no block is kept.
 *
 * libssh2 1.11 calls the C library's free() for a block of its allocator's when it reads an ECDSA key. While
 * `bare` is set, blocks are therefore those of the allocator below, without anything in front, and listed, as
 * any of them may be put back later. What libssh2 has freed by itself is dropped from the list at the end.
 * With functions of the application's (curl_global_init_mem) that the C library's free() does not fit, and in
 * a static block, such a key ends the program, as it does with libcurl.
 * Tests:      tests/unit/protocol/test_ssh_memory.c */
#ifndef MOTE_PROTOCOL_SSH_SSH_MEMORY_H
#define MOTE_PROTOCOL_SSH_SSH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/containers/list.h"

struct mote_account;
struct mote_ssh_block;
struct mote_ssh_bare;

/* Bytes that libssh2 may hold at once: a session (60 KB), what a key exchange takes, and more packets than
 * the window of a channel lets in. */
#define MOTE_SSH_MEMORY_MOST (4u << 20)
/* Bytes of spare blocks: three packets of the largest size. */
#define MOTE_SSH_SPARE 114688u
#define MOTE_SSH_LISTS 44u /* of spare blocks: four sizes for each doubling, from 32 bytes to 56 KB */

struct mote_ssh_memory {
  struct mote_account *account; /* that pays */
  size_t live;                  /* bytes that libssh2 holds */
  size_t spare;                 /* bytes of spare blocks */
  bool frugal;                  /* keep no spare blocks */
  bool bare;                    /* further blocks are bare: libssh2 is reading a key */
  struct mote_list held;        /* the blocks that libssh2 holds, but for the bare ones */
  struct mote_ssh_bare *bares;  /* the bare blocks, the last one first */
  struct mote_ssh_block *list[MOTE_SSH_LISTS]; /* spare blocks by size */
};

void mote_ssh_memory_init(struct mote_ssh_memory *m, struct mote_account *account);
/* Gives back all spare blocks, and those that libssh2 has not put back, after the session was freed. m may be
 * all zero. */
void mote_ssh_memory_close(struct mote_ssh_memory *m);

/* malloc, realloc and free of a session. */
void *mote_ssh_memory_take(struct mote_ssh_memory *m, size_t bytes);
void *mote_ssh_memory_resize(struct mote_ssh_memory *m, void *p, size_t bytes);
void mote_ssh_memory_put(struct mote_ssh_memory *m, void *p);

#endif
