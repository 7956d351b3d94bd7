/* tool/show/writevars.h: the variables of --write-out.
 * Tests: tests/unit/tool/test_writeout.c */
#ifndef MOTE_TOOL_SHOW_WRITEVARS_H
#define MOTE_TOOL_SHOW_WRITEVARS_H

#include "tool/transfers/out.h"
#include "tool/transfers/transfer.h"

enum write_special {
  SPECIAL_NONE, SPECIAL_JSON, SPECIAL_HEADER_JSON, SPECIAL_STDERR, SPECIAL_STDOUT, SPECIAL_ONERROR
};

enum value_kind { VALUE_NUMBER, VALUE_TIME, VALUE_TEXT };

struct write_value {
  enum value_kind kind;
  curl_off_t number;   /* VALUE_TIME: us */
  const char *text;
  char *owned;         /* by curl_free(); NULL: text is borrowed */
};

struct write_variable {
  const char *name;
  CURLINFO info;       /* 0: see `get` */
  bool time;           /* the number is a time in us */
  unsigned char width; /* at least so many digits */
  enum write_special special;
  bool (*get)(struct transfer *t, CURLcode code, int arg, struct write_value *value);
  int arg;             /* for get */
  bool hidden;         /* not part of %{json} */
};

extern const struct write_variable mote_cli_variables[]; /* sorted by name */
extern const int mote_cli_variable_count;

const struct write_variable *mote_cli_variable_find(const char *name, size_t len);
/* The value as text or as JSON. */
void mote_cli_put_variable(struct out *o, struct transfer *t, CURLcode code, const struct write_variable *v,
                           bool json);
/* A text in quotes. */
void mote_cli_put_json(struct out *o, const char *text, size_t len);
/* %{json}: all variables as one object. */
void mote_cli_put_all_json(struct out *o, struct transfer *t, CURLcode code);
/* %{header_json}: the headers of the last response, an array of values for each name. */
void mote_cli_put_headers_json(struct out *o, struct transfer *t);

#endif
