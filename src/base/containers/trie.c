/* base/containers/trie.c: removes nodes of a digital search tree, and visits them
 * (base/containers/trie.h). */
#include "base/containers/trie.h"

/* Any node below will do, since the way to it leads through here. A leaf leaves no hole. */
void mote_trie_unlink(struct mote_trie_node **at)
{
  struct mote_trie_node *n = *at, *leaf, **link = at;
  while((*link)->child[0] || (*link)->child[1])
    link = &(*link)->child[!(*link)->child[0]];
  leaf = *link;
  *link = NULL;
  if(leaf == n)
    return;
  leaf->child[0] = n->child[0];
  leaf->child[1] = n->child[1];
  *at = leaf;
}

struct mote_trie_node **mote_trie_find(struct mote_trie_node **root, const struct mote_trie_node *n)
{
  struct mote_trie_node **at = root;
  uint64_t way = n->key;
  for(; *at != n; way <<= 1)
    at = &(*at)->child[way >> 63];
  return at;
}

void mote_trie_add(struct mote_trie_node **root, struct mote_trie_node *n, uint64_t key)
{
  struct mote_trie_node **at = root;
  uint64_t way = key;
  for(; *at; way <<= 1)
    at = &(*at)->child[way >> 63];
  mote_trie_link(at, n, key);
}

/* Returns the link after a node: on the common way, below it, or else to the branch that was left last. */
static struct mote_trie_node **link_after(struct mote_trie_walk *w, struct mote_trie_node *n)
{
  struct mote_trie_node **at;
  if(w->left) {
    at = &n->child[w->way >> 63];
    w->way <<= 1;
    w->left--;
  }
  else {
    if(n->child[0] && n->child[1])
      w->later[w->count++] = &n->child[1];
    at = &n->child[!n->child[0]];
  }
  return *at || !w->count ? at : w->later[--w->count];
}

/* Where the last one was taken out, another may have come into its place. */
struct mote_trie_node *mote_trie_next(struct mote_trie_walk *w)
{
  struct mote_trie_node **at = w->at, *n = *at;
  if(!n && w->count)
    n = *(at = w->later[--w->count]);
  while(n && (n == w->last || ((n->key ^ w->key) & w->mask))) {
    at = link_after(w, n);
    n = *at;
  }
  w->at = at;
  w->last = n;
  return n;
}

/* The branches of child[0] are turned over to child[1] one by one, until a node has none. */
struct mote_trie_node *mote_trie_drain(struct mote_trie_node **root)
{
  struct mote_trie_node *n = *root, *low;
  while(n && (low = n->child[0]) != NULL) {
    n->child[0] = low->child[1];
    low->child[1] = n;
    n = low;
  }
  *root = n ? n->child[1] : NULL;
  return n;
}
