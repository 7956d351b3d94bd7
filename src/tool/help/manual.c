/* The manual page, filled into lines of 79 columns whatever the terminal has: it may go to a pager. */
#include "tool/help/manual.h"

#include <string.h>

#define COLUMNS 79
#define SECTION 4 /* columns in front of a section's text and of an option's name */
#define ENTRY 8   /* in front of an option's text */

struct filler {
  struct out *out;
  size_t indent; /* columns in front of the next line */
  size_t column; /* 0: a line begins */
};

static void put_blanks(struct out *o, size_t n)
{
  while(n--)
    mote_cli_out_char(o, ' ');
}

static void manual_fill(struct filler *f, const char *text, size_t len)
{
  while(len) {
    const char *blank = memchr(text, ' ', len);
    size_t n = blank ? (size_t)(blank - text) : len;
    if(f->column && f->column + 1 + n > COLUMNS) {
      mote_cli_out_char(f->out, '\n');
      f->column = 0;
    }
    put_blanks(f->out, f->column ? 1 : f->indent);
    mote_cli_out_mem(f->out, text, n);
    f->column += n + (f->column ? 1 : f->indent);
    n += blank != NULL;
    text += n;
    len -= n;
  }
}

static void manual_end_line(struct filler *f)
{
  mote_cli_out_char(f->out, '\n');
  f->column = 0;
}

static bool is_item(const char *line)
{
  return line[0] == '*' && line[1] == ' ';
}

static void put_paragraph(struct out *o, const char *line, size_t len)
{
  struct filler f = { .out = o, .indent = SECTION };
  if(line[0] == '$' && line[1] == ' ') {
    put_blanks(o, ENTRY);
    mote_cli_out_mem(o, line + 2, len - 2);
    mote_cli_out_char(o, '\n');
    return;
  }
  if(is_item(line)) {
    const char *word = memchr(line + 2, ' ', len - 2);
    size_t first = word ? (size_t)(word - line) + 1 : len; /* it keeps its place, the rest is moved in */
    manual_fill(&f, line, first > len ? len : first);
    f.indent = SECTION + 2;
    line += first;
    len -= first;
  }
  manual_fill(&f, line, len);
  manual_end_line(&f);
}

static void put_section(struct out *o, const struct manual_text *section)
{
  mote_cli_out_str(o, section->title);
  mote_cli_out_char(o, '\n');
  for(const char *line = section->text; line;) {
    const char *end = strchr(line, '\n');
    put_paragraph(o, line, end ? (size_t)(end - line) : strlen(line));
    line = end ? end + 1 : NULL;
    if(!line || (!is_item(line) && *line != '$'))
      mote_cli_out_char(o, '\n');
  }
}

void mote_cli_manual_name(struct out *o, const struct option_row *row)
{
  mote_cli_out_str(o, "--");
  mote_cli_out_str(o, row->name);
  if(row->arg) {
    mote_cli_out_char(o, ' ');
    mote_cli_out_str(o, row->arg);
  }
}

void mote_cli_manual_option(struct out *o, const struct option_row *row)
{
  struct filler f = { .out = o, .indent = ENTRY };
  const struct manual_text *note = mote_cli_manual_notes;
  while(note->title && strcmp(note->title, row->name))
    note++;
  put_blanks(o, SECTION);
  if(row->letter) {
    mote_cli_out_char(o, '-');
    mote_cli_out_char(o, row->letter);
    mote_cli_out_str(o, ", ");
  }
  mote_cli_manual_name(o, row);
  mote_cli_out_char(o, '\n');
  manual_fill(&f, row->help, strlen(row->help));
  mote_cli_out_char(o, '.');
  f.column++;
  if(note->title)
    manual_fill(&f, note->text, strlen(note->text));
  manual_end_line(&f);
  mote_cli_out_char(o, '\n');
}

void mote_cli_manual_page(struct out *o, bool (*listed)(const struct option_row *row, void *arg), void *arg)
{
  for(const struct manual_text *s = mote_cli_manual_before; s->title; s++)
    put_section(o, s);
  for(int i = 0; i < mote_cli_option_count; i++)
    if(listed(&mote_cli_options[i], arg))
      mote_cli_manual_option(o, &mote_cli_options[i]);
  for(const struct manual_text *s = mote_cli_manual_after; s->title; s++)
    put_section(o, s);
}
