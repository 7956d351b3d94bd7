#include "tool/transfers/operation.h"

#include "tool/memory.h"

#include <string.h>
#include <strings.h>

void mote_cli_op_init(struct operation *op)
{
  memset(op, 0, sizeof *op);
  op->values = op->here;
  op->cap = OPERATION_INLINE;
  op->flags = 1UL << FLAG_KEEPALIVE | 1UL << FLAG_BUFFER;
}

void mote_cli_op_free(struct operation *op)
{
  struct url_entry *e = op->urls ? op->urls->next : NULL;
  while(e) {
    struct url_entry *next = e->next;
    mote_cli_free(e);
    e = next;
  }
  if(op->values != op->here)
    mote_cli_free(op->values);
  mote_cli_free(op->post.owned);
  mote_cli_free(op->query.owned);
  mote_cli_free(op->cookies);
  mote_cli_op_init(op);
}

bool mote_cli_op_flag(const struct operation *op, enum op_flag flag)
{
  return (op->flags >> flag & 1) != 0;
}

void mote_cli_op_set_flag(struct operation *op, enum op_flag flag, bool on)
{
  if(on)
    op->flags |= 1UL << flag;
  else
    op->flags &= ~(1UL << flag);
}

static struct value *operation_find(const struct operation *op, int target)
{
  for(unsigned i = 0; i < op->count; i++)
    if(op->values[i].target == target)
      return &op->values[i];
  return NULL;
}

static struct value *operation_append(struct operation *op, const struct option_row *row, int target)
{
  struct value *v;
  if(op->count == op->cap) {
    unsigned cap = op->cap * 2;
    struct value *old = op->values == op->here ? NULL : op->values;
    struct value *more = mote_cli_realloc(old, cap * sizeof *more);
    if(!more)
      return NULL;
    if(!old)
      memcpy(more, op->here, sizeof op->here);
    op->values = more;
    op->cap = cap;
  }
  v = &op->values[op->count++];
  memset(v, 0, sizeof *v);
  v->target = target;
  v->row = row;
  return v;
}

static struct value *operation_place(struct operation *op, const struct option_row *row, int target)
{
  struct value *v = operation_find(op, target);
  if(v)
    v->row = row;
  else
    v = operation_append(op, row, target);
  return v;
}

bool mote_cli_op_text(struct operation *op, const struct option_row *row, int target, const char *text)
{
  struct value *v = operation_place(op, row, target);
  if(v)
    v->u.text = text;
  return v != NULL;
}

bool mote_cli_op_number(struct operation *op, const struct option_row *row, int target, curl_off_t number)
{
  struct value *v = operation_place(op, row, target);
  if(v)
    v->u.number = number;
  return v != NULL;
}

/* The library takes lists of `char *` but does not write to them. */
static char *unconst(const char *text)
{
  union { const char *in; char *out; } u = { .in = text };
  return u.out;
}

struct value *mote_cli_op_add(struct operation *op, const struct option_row *row, int target,
                              const char *text)
{
  struct value *v = operation_append(op, row, target);
  if(v) {
    v->u.node.data = unconst(text);
    v->u.node.next = NULL;
  }
  return v;
}

void mote_cli_op_remove(struct operation *op, int target)
{
  unsigned kept = 0;
  for(unsigned i = 0; i < op->count; i++)
    if(op->values[i].target != target)
      op->values[kept++] = op->values[i];
  op->count = kept;
}

const struct value *mote_cli_op_find(const struct operation *op, int target)
{
  return operation_find(op, target);
}

const char *mote_cli_op_get_text(const struct operation *op, int target)
{
  const struct value *v = operation_find(op, target);
  return v ? v->u.text : NULL;
}

curl_off_t mote_cli_op_get_number(const struct operation *op, int target, curl_off_t otherwise)
{
  const struct value *v = operation_find(op, target);
  return v ? v->u.number : otherwise;
}

struct curl_slist *mote_cli_op_list(struct operation *op, int target)
{
  struct curl_slist *head = NULL, **end = &head;
  for(unsigned i = 0; i < op->count; i++)
    if(op->values[i].target == target) {
      struct curl_slist *node = &op->values[i].u.node;
      node->next = NULL;
      *end = node;
      end = &node->next;
    }
  return head;
}

bool mote_cli_op_has_header(const struct operation *op, int target, const char *name)
{
  size_t len = strlen(name);
  for(unsigned i = 0; i < op->count; i++)
    if(op->values[i].target == target) {
      const char *text = op->values[i].u.node.data;
      if(!strncasecmp(text, name, len) && (text[len] == ':' || text[len] == ';'))
        return true;
    }
  return false;
}

static bool operation_taken(const struct url_entry *e, enum entry_use use)
{
  if(use == ENTRY_URL)
    return e->url != NULL;
  if(use == ENTRY_UPLOAD)
    return e->upload != NULL;
  return e->output_set;
}

struct url_entry *mote_cli_op_entry(struct operation *op, enum entry_use use)
{
  struct url_entry **cursors[] = { &op->url_at, &op->output_at, &op->upload_at };
  struct url_entry **cursor = cursors[use];
  struct url_entry *e = *cursor ? *cursor : op->urls;
  struct url_entry *last = NULL;
  while(e && operation_taken(e, use)) {
    last = e;
    e = e->next;
  }
  if(!e) {
    e = op->urls ? mote_cli_alloc(sizeof *e) : &op->first;
    if(!e)
      return NULL;
    if(last)
      last->next = e;
    else
      op->urls = e;
  }
  *cursor = e;
  return e;
}
