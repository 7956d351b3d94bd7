/* tests/hostile_text/main.c: every option that takes a text, each hostile text, every way (hostile.h).
 *
 * usage: hostile_text [--all] [--seed N] [--codes FILE] [--write FILE] [--way NAME] [--option NAME] [--list]
 *   --all    every text, and not those of every run and one in SAMPLE of the others, by the seed
 *   --codes  what transfers end with (codes.tsv): way, option, kind of text, code; "*" is each way. What
 *            has no row ends as it does with a harmless text
 *   --write  writes the rows that are missing instead of failing
 *   --list   shows each case */
#include "hostile.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SAMPLE 40u
#define LISTS_MAX 16u
#define ROWS_MAX 4096u

struct row {
  char way[20], option[40], kind[12];
  int code;
};

static struct {
  bool all, list;
  unsigned seed;
  const char *way, *option, *write;
} arguments;

static struct row rows[ROWS_MAX];
static size_t row_count;
static struct curl_slist *lists[LISTS_MAX];
static size_t list_count;
static size_t cases, failures;

/* ---- codes ---- */

static bool fits(const char *pattern, const char *name)
{
  return !strcmp(pattern, "*") || !strcmp(pattern, name);
}

static bool is_known(const char *way, const char *option, const char *kind, int code)
{
  size_t i;
  for(i = 0; i < row_count; i++)
    if(rows[i].code == code && fits(rows[i].way, way) && fits(rows[i].option, option) &&
       fits(rows[i].kind, kind))
      return true;
  return false;
}

static void learn(const char *way, const char *option, const char *kind, int code)
{
  struct row *r = &rows[row_count];
  if(row_count == ROWS_MAX)
    return;
  (void)snprintf(r->way, sizeof r->way, "%s", way);
  (void)snprintf(r->option, sizeof r->option, "%s", option);
  (void)snprintf(r->kind, sizeof r->kind, "%s", kind);
  r->code = code;
  row_count++;
}

static bool read_codes(const char *file)
{
  char line[256];
  FILE *f = fopen(file, "r");
  if(!f)
    return false;
  while(fgets(line, sizeof line, f)) {
    char way[20], option[40], kind[12];
    int code;
    if(*line != '#' && sscanf(line, "%19[^\t]\t%39[^\t]\t%11[^\t]\t%d", way, option, kind, &code) == 4)
      learn(way, option, kind, code);
  }
  return !fclose(f);
}

static void write_codes(const char *file)
{
  FILE *f = fopen(file, "w");
  size_t i;
  if(!f)
    return;
  for(i = 0; i < row_count; i++)
    (void)fprintf(f, "%s\t%s\t%s\t%d\n", rows[i].way, rows[i].option, rows[i].kind, rows[i].code);
  (void)fclose(f);
}

/* ---- options ---- */

static CURLcode set_text(CURL *e, const struct curl_easyoption *o, const char *text)
{
  if(o->type == CURLOT_LONG || o->type == CURLOT_VALUES)
    return curl_easy_setopt(e, o->id, strtol(text, NULL, 10));
  if(o->type == CURLOT_SLIST) {
    struct curl_slist *l = list_count < LISTS_MAX ? curl_slist_append(NULL, text) : NULL;
    if(!l)
      return CURLE_OUT_OF_MEMORY;
    lists[list_count++] = l;
    return curl_easy_setopt(e, o->id, l);
  }
  return curl_easy_setopt(e, o->id, text);
}

static void drop_lists(void)
{
  while(list_count)
    curl_slist_free_all(lists[--list_count]);
}

static CURLcode set_options(CURL *e, const char *options, int port)
{
  char text[400], *at, *save;
  CURLcode rc = CURLE_OK;
  (void)snprintf(text, sizeof text, options, port);
  for(at = strtok_r(text, " ", &save); at && !rc; at = strtok_r(NULL, " ", &save)) {
    char *value = strchr(at, '=');
    const struct curl_easyoption *o;
    *value = 0;
    o = curl_easy_option_by_name(at);
    rc = o ? set_text(e, o, value + 1) : CURLE_UNKNOWN_OPTION;
  }
  return rc;
}

static size_t discard(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes, (void)user;
  return size * n;
}

static size_t give_hi(char *to, size_t size, size_t n, void *user)
{
  int *given = user;
  if(*given || size * n < 2)
    return 0;
  *given = 1;
  memcpy(to, "hi", 2);
  return 2;
}

/* ---- URLs ---- */

/* Returns the URL with a text after a piece of it, which the caller frees. */
static char *url_with(const char *url, const struct place *p, const char *text)
{
  bool login = strstr(p->name, "user") || strstr(p->name, "pass") || strstr(p->name, "login");
  const char *host = strstr(url, "://") + 3, *at = strchr(host, '@'), *rest = host + strcspn(host, "/");
  size_t size = strlen(url) + strlen(text) + strlen(p->before) + strlen(p->after) + 2;
  char *out = malloc(size);
  if(!out)
    return NULL;
  if(login)
    (void)snprintf(out, size, "%.*s%s%s%s%s", (int)(host - url), url, p->before, text, p->after,
                   at ? at + 1 : host);
  else if(!strcmp(p->name, "URL path"))
    (void)snprintf(out, size, "%.*s%s%s", (int)(rest - url), url, p->before, text);
  else
    (void)snprintf(out, size, "%s%s%s", url, p->before, text);
  return out;
}

static char *value_with(const struct place *p, const char *text)
{
  size_t size = strlen(p->before) + strlen(text) + strlen(p->after) + 1;
  char *out = malloc(size);
  if(out)
    (void)snprintf(out, size, "%s%s%s", p->before, text, p->after);
  return out;
}

/* ---- a case ---- */

static void prepare(CURL *e, const struct way *w, int *given)
{
  char url[200];
  int port = server_port(w->talk);
  (void)snprintf(url, sizeof url, w->url, port);
  curl_easy_reset(e);
  *given = 0;
  (void)curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, discard);
  (void)curl_easy_setopt(e, CURLOPT_READFUNCTION, give_hi);
  (void)curl_easy_setopt(e, CURLOPT_READDATA, given);
  (void)curl_easy_setopt(e, CURLOPT_FORBID_REUSE, 1L);
  (void)curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, 60000L);
  (void)curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
  (void)curl_easy_setopt(e, CURLOPT_URL, url);
  (void)set_options(e, w->options, port);
}

/* Returns what the transfer ends with, or what refuses the text before it. o NULL: a piece of the URL. */
static CURLcode transfer(CURL *e, const struct way *w, const struct place *p, const struct curl_easyoption *o,
                         const char *text)
{
  char url[200], *value;
  CURLcode rc;
  int given;
  prepare(e, w, &given);
  (void)snprintf(url, sizeof url, w->url, server_port(w->talk));
  (void)set_options(e, p->options, 0);
  value = o ? value_with(p, text) : url_with(url, p, text);
  rc = !value ? CURLE_OUT_OF_MEMORY : o ? set_text(e, o, value) : curl_easy_setopt(e, CURLOPT_URL, value);
  free(value);
  if(!rc)
    rc = curl_easy_perform(e);
  curl_easy_reset(e);
  drop_lists();
  return rc;
}

static void print_text(FILE *f, const char *text)
{
  size_t i;
  for(i = 0; text[i] && i < 40; i++)
    if(text[i] >= ' ' && text[i] < 127)
      (void)fputc(text[i], f);
    else
      (void)fprintf(f, "\\x%02x", (unsigned char)text[i]);
}

static void fail(const struct way *w, const char *option, const struct text *t, const char *why)
{
  failures++;
  if(failures > 400)
    return;
  (void)fprintf(stderr, "%s, %s, \"", w->name, option);
  print_text(stderr, t->ptr);
  (void)fprintf(stderr, "\" (%s): %s\n", text_kinds[t->kind], why);
}

static void judge_code(const struct way *w, const char *option, const struct text *t, CURLcode rc,
                       CURLcode harmless)
{
  const char *kind = text_kinds[t->kind];
  char why[60];
  if(rc == harmless || is_known(w->name, option, kind, (int)rc))
    return;
  if(arguments.write) {
    learn(w->name, option, kind, (int)rc);
    return;
  }
  (void)snprintf(why, sizeof why, "code %d, and %d with a harmless text", (int)rc, (int)harmless);
  fail(w, option, t, why);
}

static void try_text(CURL *e, const struct way *w, const struct place *p, const struct curl_easyoption *o,
                     const struct text *t, CURLcode harmless)
{
  const char *option = o ? o->name : p->name, *wrong;
  char shown[512], why[640];
  CURLcode rc = transfer(e, w, p, o, t->ptr);
  wrong = server_judge(w->lines && p->raw, shown, sizeof shown);
  cases++;
  if(arguments.list) {
    (void)printf("%s\t%s\t%d\t", w->name, option, (int)rc);
    print_text(stdout, t->ptr);
    (void)putchar('\n');
  }
  if(wrong) {
    (void)snprintf(why, sizeof why, "%s: %s (code %d)", wrong, shown, (int)rc);
    fail(w, option, t, why);
  }
  judge_code(w, option, t, rc, harmless);
}

static void try_texts(CURL *e, const struct way *w, const struct place *p, const struct curl_easyoption *o)
{
  char shown[512];
  CURLcode harmless = transfer(e, w, p, o, "");
  size_t i;
  (void)server_judge(true, shown, sizeof shown);
  if(harmless == CURLE_OPERATION_TIMEDOUT) {
    struct text t = {shown, TEXT_BYTE};
    *shown = 0;
    fail(w, o ? o->name : p->name, &t, "it waits without any text");
  }
  if(harmless == CURLE_UNKNOWN_OPTION || harmless == CURLE_NOT_BUILT_IN)
    return;
  for(i = 0; i < text_count(); i++) {
    struct text t;
    if(i >= text_always() && !arguments.all && (unsigned)rand() % SAMPLE)
      continue;
    t = text_at(i);
    if(t.ptr)
      try_text(e, w, p, o, &t, harmless);
    free(t.ptr);
  }
}

/* All texts have one handle, as in a program that sets an option again; another option has another: a handle
 * keeps the names of files, and looks at each of them before each request. */
static void try_option(const struct way *w, const struct place *p, const struct curl_easyoption *o)
{
  CURL *e = curl_easy_init();
  if(e)
    try_texts(e, w, p, o);
  else
    failures++;
  curl_easy_cleanup(e);
}

/* ---- all ---- */

static bool is_text(const struct curl_easyoption *o)
{
  return (o->type == CURLOT_STRING || o->type == CURLOT_SLIST) && !(o->flags & CURLOT_FLAG_ALIAS) &&
         o->id != CURLOPT_URL;
}

static void try_way(const struct way *w)
{
  const struct curl_easyoption *o = NULL;
  size_t i;
  while((o = curl_easy_option_next(o)) != NULL)
    if(is_text(o) && (!arguments.option || !strcmp(arguments.option, o->name)))
      try_option(w, place_of(o->name), o);
  for(i = 0; i < url_place_count; i++)
    if(!arguments.option || !strcmp(arguments.option, url_places[i].name))
      try_option(w, &url_places[i], NULL);
}

static bool read_arguments(int argc, char **argv)
{
  int i;
  for(i = 1; i < argc; i++) {
    const char *next = i + 1 < argc ? argv[i + 1] : NULL;
    if(!strcmp(argv[i], "--all"))
      arguments.all = true;
    else if(!strcmp(argv[i], "--list"))
      arguments.list = true;
    else if(!next)
      return false;
    else if(!strcmp(argv[i], "--seed"))
      arguments.seed = (unsigned)strtoul(argv[++i], NULL, 10);
    else if(!strcmp(argv[i], "--way"))
      arguments.way = argv[++i];
    else if(!strcmp(argv[i], "--option"))
      arguments.option = argv[++i];
    else if(!strcmp(argv[i], "--write"))
      arguments.write = argv[++i];
    else if(strcmp(argv[i], "--codes") || !read_codes(argv[++i]))
      return false;
  }
  return true;
}

/* Files that options name are made here. */
static bool enter_folder(char *folder)
{
  static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                                      "no_proxy", "NO_PROXY", "ftp_proxy", "FTP_PROXY"};
  size_t i;
  for(i = 0; i < sizeof names / sizeof *names; i++)
    (void)unsetenv(names[i]);
  return mkdtemp(folder) && !chdir(folder) && !setenv("HOME", folder, 1) &&
         signal(SIGPIPE, SIG_IGN) != SIG_ERR;
}

int main(int argc, char **argv)
{
  char folder[] = "/tmp/hostile_text_XXXXXX", command[80];
  size_t i;
  if(!read_arguments(argc, argv) || !enter_folder(folder))
    return 2;
  srand(arguments.seed);
  if(curl_global_init(CURL_GLOBAL_DEFAULT) || !server_start())
    return 2;
  for(i = 0; i < way_count; i++)
    if(!arguments.way || !strcmp(arguments.way, ways[i].name))
      try_way(&ways[i]);
  server_stop();
  curl_global_cleanup();
  if(arguments.write)
    write_codes(arguments.write);
  (void)snprintf(command, sizeof command, "rm -rf %s", folder);
  if(system(command))
    return 2;
  (void)printf("%zu passed, %zu failed (--seed %u)\n", cases - failures, failures, arguments.seed);
  return failures != 0;
}
