#include "tool/exec/exec.h"
#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/transfers/out.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct row {
  char name[21];
  unsigned long long calls, peak;
};

static void print_row(struct out *o, const struct row *row)
{
  mote_cli_out_str(o, row->name);
  for(size_t i = strlen(row->name); i < 10; i++)
    mote_cli_out_char(o, ' ');
  mote_cli_out_pad(o, (curl_off_t)row->calls, 12, ' ');
  mote_cli_out_pad(o, (curl_off_t)row->peak, 14, ' ');
  mote_cli_out_char(o, '\n');
}

/* One process. The parts' highest bytes need not have come at one time, so their sum is a bound. */
static void print_process(struct out *o, char *line)
{
  struct row row, all = { .name = "all" };
  char *rest, *column = strtok_r(line, "\t", &rest);
  mote_cli_out_char(o, '\n');
  mote_cli_out_safe(o, column ? column : "", column ? strlen(column) : 0);
  mote_cli_out_str(o, "\npart       allocations    peak bytes\n");
  while((column = strtok_r(NULL, "\t", &rest)) != NULL)
    if(sscanf(column, "%20s %llu %llu", row.name, &row.calls, &row.peak) == 3) {
      print_row(o, &row);
      all.calls += row.calls;
      all.peak += row.peak;
    }
  print_row(o, &all);
}

/* All of the file, kept; NULL: it cannot be read. */
static char *read_all(int fd)
{
  struct stat st;
  char *text = fstat(fd, &st) ? NULL : mote_cli_keep((size_t)st.st_size + 1);
  ssize_t n = text ? pread(fd, text, (size_t)st.st_size, 0) : -1;
  if(n < 0)
    return NULL;
  text[n] = '\0';
  return text;
}

bool mote_cli_exec_print(int fd)
{
  char *text = read_all(fd), *rest, *line;
  unsigned count = 0;
  struct out o;
  if(!text)
    return false;
  mote_cli_out_init(&o, mote_cli.err, true);
  for(line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), count++)
    print_process(&o, line);
  mote_cli_out_str(&o, count ? "What the TLS library took itself is not in it.\n"
                             : "mote exec: no process of the program used this library\n");
  mote_cli_out_flush(&o);
  mote_cli_free_kept();
  return true;
}
