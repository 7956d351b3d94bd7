/* base/containers/trie.h: intrusive digital search tree (Knuth, section 6.3): finds nodes by a key of 64
 * bits, and all whose keys begin alike.
 *
 * A node lies somewhere on the way that the bits of its key describe from the root, so that a search takes
 * few steps more than keys have bits in common, and 64 at most where keys differ. There is no array to grow,
 * so that adding a node allocates nothing.
 *
 * Invariants: the way from the root to a node at depth d is that of the first d bits of its key, the highest
 *             first. Nodes of one key follow each other by child[0] after its last bit.
 * Ownership:  nodes are the caller's fields; the root is a pointer that is NULL at first.
 * Tests:      tests/unit/base/test_trie.c */
#ifndef MOTE_BASE_CONTAINERS_TRIE_H
#define MOTE_BASE_CONTAINERS_TRIE_H

#include <stddef.h>
#include <stdint.h>

enum { MOTE_TRIE_DEPTH = 64 }; /* bits of a key */

struct mote_trie_node {
  struct mote_trie_node *child[2]; /* by the next bit of their keys */
  uint64_t key;
};

/* Links a node at the end of the way of its key, where *at is NULL. */
static inline void mote_trie_link(struct mote_trie_node **at, struct mote_trie_node *n, uint64_t key)
{
  n->child[0] = n->child[1] = NULL;
  n->key = key;
  *at = n;
}

/* Adds a node, after others of its key. */
void mote_trie_add(struct mote_trie_node **root, struct mote_trie_node *n, uint64_t key);

/* Puts a node of the same key in the place of another. */
static inline void mote_trie_replace(struct mote_trie_node **at, struct mote_trie_node *n)
{
  *n = **at;
  *at = n;
}

/* Takes the node at a link out of the tree. A node from below it comes into its place, if there is one. */
void mote_trie_unlink(struct mote_trie_node **at);
/* Returns the link to a node that is in the tree. */
struct mote_trie_node **mote_trie_find(struct mote_trie_node **root, const struct mote_trie_node *n);

/* Visits the nodes whose keys are like a given one in some bits, of which the first ones lead to them. The
 * node that was visited last may be taken out at its link; the tree may not change otherwise meanwhile. */
struct mote_trie_walk {
  struct mote_trie_node **at;        /* the link to the node that was visited last */
  const struct mote_trie_node *last; /* that node, or NULL */
  uint64_t key;
  uint64_t mask;                     /* bits of a key that count */
  uint64_t way;                      /* bits of the key that lead to the nodes, the next one as the highest */
  unsigned left;                     /* how many of them */
  unsigned count;                    /* of `later` */
  struct mote_trie_node **later[MOTE_TRIE_DEPTH]; /* links to other branches, one per depth at most */
};

/* bits: how many bits of the mask are ones from the highest on, 0 to MOTE_TRIE_DEPTH. */
static inline void mote_trie_begin(struct mote_trie_walk *w, struct mote_trie_node **root, uint64_t key,
                                   uint64_t mask, unsigned bits)
{
  w->at = root;
  w->last = NULL;
  w->key = w->way = key;
  w->mask = mask;
  w->left = bits;
  w->count = 0;
}

/* Returns NULL after the last one. */
struct mote_trie_node *mote_trie_next(struct mote_trie_walk *w);

/* Takes out any node. After the first call the tree is no tree any more, and good for further calls alone.
 * Returns NULL when it is empty. */
struct mote_trie_node *mote_trie_drain(struct mote_trie_node **root);

#endif
