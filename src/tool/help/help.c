/* --help, --version and other options that show something in place of transfers. */
#include "tool/help/manual.h"
#include "tool/options/options.h"
#include "tool/show/messages.h"
#include "tool/transfers/out.h"

#include <curl/curl.h>
#include <mote/mote.h>
#include <string.h>
#include <strings.h>

static void help_usage(struct out *o)
{
  mote_cli_out_str(o, "Usage: ");
  mote_cli_out_str(o, mote_cli_name());
  mote_cli_out_str(o, " [options...] <url>\n");
}

static int name_width(const struct option_row *row)
{
  return (int)strlen(row->name) + (row->arg ? (int)strlen(row->arg) + 1 : 0);
}

/* Whether the build of the library lacks the option, which is found out by setting it. A few options whose
 * handlers do more than that may go unmarked. */
static bool library_lacks(CURL *probe, const struct option_row *row)
{
  CURLoption option = (CURLoption)row->target;
  const struct curl_easyoption *known = row->target > 0 ? curl_easy_option_by_id(option) : NULL;
  long asked = row->set == mote_set_bool ? !row->value : row->value > 0 ? row->value : 1;
  if(!known || !probe || row->set == mote_set_location)
    return false;
  if(option == CURLOPT_HTTP_VERSION)
    return mote_cli_lacks_version(row->value);
  switch(known->type) {
  case CURLOT_LONG:
  case CURLOT_VALUES: return mote_cli_not_built(row, curl_easy_setopt(probe, option, asked));
  case CURLOT_OFF_T: return mote_cli_not_built(row, curl_easy_setopt(probe, option, (curl_off_t)1));
  case CURLOT_STRING: return mote_cli_not_built(row, curl_easy_setopt(probe, option, "1"));
  default: return false;
  }
}

static bool help_absent(CURL *probe, const struct option_row *row)
{
  return row->flags & ROW_ABSENT || row->set == mote_set_refused || library_lacks(probe, row);
}

static void one_row(struct out *o, CURL *probe, const struct option_row *row, int width)
{
  mote_cli_out_str(o, row->letter ? " -" : "    ");
  if(row->letter) {
    mote_cli_out_char(o, row->letter);
    mote_cli_out_char(o, ',');
  }
  mote_cli_out_char(o, ' ');
  mote_cli_manual_name(o, row);
  for(int i = name_width(row); i < width + 2; i++)
    mote_cli_out_char(o, ' ');
  mote_cli_out_str(o, row->help);
  mote_cli_out_str(o, help_absent(probe, row) ? " (not built in)\n" : "\n");
}

/* All rows of the categories in `bits`, in columns. */
static void list_rows(struct out *o, int bits)
{
  CURL *probe = curl_easy_init();
  int width = 0;
  for(int i = 0; i < mote_cli_option_count; i++)
    if(mote_cli_options[i].categories & bits && name_width(&mote_cli_options[i]) > width)
      width = name_width(&mote_cli_options[i]);
  for(int i = 0; i < mote_cli_option_count; i++)
    if(mote_cli_options[i].categories & bits)
      one_row(o, probe, &mote_cli_options[i], width);
  curl_easy_cleanup(probe);
}

static void list_categories(struct out *o)
{
  for(const struct category *c = mote_cli_categories; c->name; c++) {
    mote_cli_out_char(o, ' ');
    mote_cli_out_str(o, c->name);
    for(size_t i = strlen(c->name); i < 13; i++)
      mote_cli_out_char(o, ' ');
    mote_cli_out_str(o, c->help);
    mote_cli_out_char(o, '\n');
  }
}

static bool has_entry(const struct option_row *row, void *probe)
{
  return row->set != mote_set_ignored && !help_absent(probe, row);
}

/* --help with an option's name: its entry in the manual, or its row if it does nothing here. */
static void help_option(struct out *o, const char *subject)
{
  const struct option_row *row = NULL;
  CURL *probe;
  bool on;
  if(subject[0] == '-' && subject[1] && subject[1] != '-')
    row = mote_cli_option_letter(subject[1]);
  else if(!strncmp(subject, "--", 2) &&
          mote_cli_option_find(subject + 2, strlen(subject + 2), &row, &on))
    row = NULL;
  if(!row) {
    const char *own = "mote: there is no option of that name, see mote -h";
    struct out err;
    mote_cli_out_init(&err, mote_cli.err, false);
    mote_cli_out_str(&err, mote_cli_on(GLOBAL_AS_CURL) ? CURL_SAYS_NO_SUCH_OPTION : own);
    mote_cli_out_char(&err, '\n');
    mote_cli_out_flush(&err);
    return;
  }
  probe = curl_easy_init();
  if(has_entry(row, probe))
    mote_cli_manual_option(o, row);
  else
    one_row(o, probe, row, name_width(row));
  curl_easy_cleanup(probe);
}

static void show_manual(void)
{
  struct out o;
  CURL *probe = curl_easy_init();
  mote_cli_out_init(&o, 1, false);
  mote_cli_manual_page(&o, has_entry, probe);
  mote_cli_out_flush(&o);
  curl_easy_cleanup(probe);
}

static bool help_category(struct out *o, const char *subject)
{
  for(int i = 0; mote_cli_categories[i].name; i++)
    if(!strcasecmp(mote_cli_categories[i].name, subject)) {
      mote_cli_out_str(o, mote_cli_categories[i].name);
      mote_cli_out_str(o, ": ");
      mote_cli_out_str(o, mote_cli_categories[i].help);
      mote_cli_out_char(o, '\n');
      list_rows(o, 1 << i);
      return true;
    }
  return false;
}

static void show_help(const char *subject)
{
  struct out o;
  mote_cli_out_init(&o, 1, false);
  if(!subject || !*subject) {
    help_usage(&o);
    list_rows(&o, C_IMPORTANT);
    mote_cli_out_str(&o, "\nThis is not all: \"--help category\" lists the categories, \"--help <category>\" "
                         "the\noptions of one, \"--help <option>\" one option, \"--help all\" every "
                         "option.\n");
  }
  else if(!strcasecmp(subject, "all"))
    list_rows(&o, ~0);
  else if(!strcasecmp(subject, "category"))
    list_categories(&o);
  else if(*subject == '-')
    help_option(&o, subject);
  else if(!help_category(&o, subject)) {
    mote_cli_out_str(&o, "Unknown category provided, here is a list of all categories:\n\n");
    list_categories(&o);
  }
  mote_cli_out_flush(&o);
}

static void list_words(struct out *o, const char *title, const char *const *words)
{
  mote_cli_out_str(o, title);
  for(; words && *words; words++) {
    mote_cli_out_char(o, ' ');
    mote_cli_out_str(o, *words);
  }
  mote_cli_out_char(o, '\n');
}

struct feature {
  const char *name;
  int bit;
};

/* The library's list of names, or the bits of a library that is older than the list (7.87). */
static void list_features(struct out *o, const curl_version_info_data *info)
{
  static const struct feature features[] = {
    { "alt-svc", CURL_VERSION_ALTSVC }, { "AsynchDNS", CURL_VERSION_ASYNCHDNS },
    { "brotli", CURL_VERSION_BROTLI }, { "HSTS", CURL_VERSION_HSTS }, { "HTTP2", CURL_VERSION_HTTP2 },
    { "HTTPS-proxy", CURL_VERSION_HTTPS_PROXY }, { "IDN", CURL_VERSION_IDN }, { "IPv6", CURL_VERSION_IPV6 },
    { "Largefile", CURL_VERSION_LARGEFILE }, { "libz", CURL_VERSION_LIBZ }, { "SSL", CURL_VERSION_SSL },
    { "threadsafe", CURL_VERSION_THREADSAFE }, { "UnixSockets", CURL_VERSION_UNIX_SOCKETS },
    { "zstd", CURL_VERSION_ZSTD }
  };
  if(info->age >= CURLVERSION_ELEVENTH && info->feature_names) {
    list_words(o, "Features:", info->feature_names);
    return;
  }
  mote_cli_out_str(o, "Features:");
  for(size_t i = 0; i < sizeof features / sizeof features[0]; i++)
    if(info->features & features[i].bit) {
      mote_cli_out_char(o, ' ');
      mote_cli_out_str(o, features[i].name);
    }
  mote_cli_out_char(o, '\n');
}

static void show_version(void)
{
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  struct out o;
  mote_cli_out_init(&o, 1, false);
  mote_cli_out_str(&o, mote_cli_on(GLOBAL_AS_CURL) ? "curl " LIBCURL_VERSION : "mote " MOTE_VERSION);
  mote_cli_out_str(&o, " (");
  mote_cli_out_str(&o, info->host ? info->host : "unknown");
  mote_cli_out_str(&o, ") ");
  mote_cli_out_str(&o, curl_version());
  mote_cli_out_str(&o, "\nRelease-Date: [unreleased]\n");
  list_words(&o, "Protocols:", info->protocols);
  list_features(&o, info);
  mote_cli_out_flush(&o);
}

void mote_cli_show(const struct parse *p)
{
  struct out o;
  switch(p->show) {
  case SHOW_HELP: show_help(p->subject); break;
  case SHOW_VERSION: show_version(); break;
  case SHOW_MANUAL: show_manual(); break;
  case SHOW_ENGINES:
    mote_cli_out_init(&o, 1, false);
    mote_cli_out_str(&o, "Build-time engines:\n  <none>\n");
    mote_cli_out_flush(&o);
    break;
  case SHOW_CA_EMBED: /* this command has no CA bundle built in */
  case SHOW_NOTHING: break;
  }
}
