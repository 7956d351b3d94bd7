#include "tool/c_program.h"

#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/out.h"

#include <errno.h>
#include <mote/mote.h>
#include <string.h>

#define LISTS_MAX 9   /* options that take a list */
#define LINE_BYTES 60 /* bytes of a text on a line of the program */

static struct {
  struct out out;
  bool open;                    /* there is a program */
  bool noting;                  /* options of a transfer are being written to the program */
  unsigned transfers;           /* in the program so far */
  unsigned lists;               /* entries of list */
  CURLoption list[LISTS_MAX];   /* to be freed after the transfer */
  unsigned mimes;               /* multiparts in the program of the transfer so far */
  const char *dump;             /* --dump-header of the last transfer; the next one appends to it */
} program;

static void c_program_put(const char *text)
{
  mote_cli_out_str(&program.out, text);
}

/* As a string literal; octal escapes have three digits, so that a digit may follow them. */
static void c_program_put_literal(const char *bytes, size_t len)
{
  static const char special[] = "\"\\?\n\r\t", letters[] = "\"\\?nrt";
  c_program_put("\"");
  for(size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)bytes[i];
    const char *at = c ? strchr(special, c) : NULL;
    if(i && i % LINE_BYTES == 0)
      c_program_put("\"\n      \"");
    if(at || c < 0x20 || c >= 0x7f)
      mote_cli_out_char(&program.out, '\\');
    if(at)
      mote_cli_out_char(&program.out, letters[at - special]);
    else if(c < 0x20 || c >= 0x7f)
      for(int shift = 6; shift >= 0; shift -= 3)
        mote_cli_out_char(&program.out, (char)('0' + (c >> shift & 7)));
    else
      mote_cli_out_char(&program.out, (char)c);
  }
  c_program_put("\"");
}

static void c_program_put_text(const char *text)
{
  c_program_put_literal(text, strlen(text));
}

/* "curl_easy_setopt(curl, CURLOPT_NAME, " if the library accepted the option. False: nothing was written. */
static bool begin_option(CURLoption option, CURLcode answer)
{
  const struct curl_easyoption *row;
  if(!program.noting || answer)
    return false;
  row = curl_easy_option_by_id(option);
  if(!row)
    return false;
  c_program_put("    curl_easy_setopt(curl, CURLOPT_");
  c_program_put(row->name);
  c_program_put(", ");
  return true;
}

CURLcode mote_cli_set_long(const struct transfer *t, CURLoption option, long n)
{
  CURLcode rc = curl_easy_setopt(t->handle, option, n);
  if(begin_option(option, rc)) {
    mote_cli_out_num(&program.out, n);
    c_program_put("L);\n");
  }
  return rc;
}

CURLcode mote_cli_set_size(const struct transfer *t, CURLoption option, curl_off_t n)
{
  CURLcode rc = curl_easy_setopt(t->handle, option, n);
  if(begin_option(option, rc)) {
    c_program_put("(curl_off_t)");
    mote_cli_out_num(&program.out, n);
    c_program_put(");\n");
  }
  return rc;
}

CURLcode mote_cli_set_text(const struct transfer *t, CURLoption option, const char *text)
{
  CURLcode rc = curl_easy_setopt(t->handle, option, text);
  if(begin_option(option, rc)) {
    c_program_put_text(text);
    c_program_put(");\n");
  }
  return rc;
}

CURLcode mote_cli_set_body(const struct transfer *t, const char *bytes, size_t len)
{
  CURLcode rc = curl_easy_setopt(t->handle, CURLOPT_POSTFIELDS, bytes);
  if(begin_option(CURLOPT_POSTFIELDS, rc)) {
    c_program_put_literal(bytes, len);
    c_program_put(");\n");
  }
  return rc ? rc : mote_cli_set_size(t, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
}

static void put_list_name(CURLoption option)
{
  c_program_put("list_");
  mote_cli_out_num(&program.out, (curl_off_t)option);
}

CURLcode mote_cli_set_list(const struct transfer *t, CURLoption option, struct curl_slist *list)
{
  CURLcode rc = curl_easy_setopt(t->handle, option, list);
  if(!program.noting || rc || program.lists == LISTS_MAX)
    return rc;
  c_program_put("    struct curl_slist *");
  put_list_name(option);
  c_program_put(" = NULL;\n");
  for(; list; list = list->next) {
    c_program_put("    ");
    put_list_name(option);
    c_program_put(" = curl_slist_append(");
    put_list_name(option);
    c_program_put(", ");
    c_program_put_text(list->data);
    c_program_put(");\n");
  }
  program.list[program.lists++] = option;
  if(begin_option(option, rc)) {
    put_list_name(option);
    c_program_put(");\n");
  }
  return rc;
}

/* ---- forms ---- */

static void put_mime_name(const struct tool_mime *m)
{
  c_program_put("mime_");
  mote_cli_out_num(&program.out, (curl_off_t)m->number);
}

CURLcode mote_cli_mime_init(const struct transfer *t, struct tool_mime *m)
{
  m->mime = curl_mime_init(t->handle);
  if(!m->mime)
    return CURLE_OUT_OF_MEMORY;
  if(program.noting) {
    if(!program.mimes)
      c_program_put("    curl_mimepart *part;\n");
    m->number = program.mimes++;
    c_program_put("    curl_mime *");
    put_mime_name(m);
    c_program_put(" = curl_mime_init(curl);\n");
  }
  return CURLE_OK;
}

curl_mimepart *mote_cli_mime_addpart(const struct tool_mime *m)
{
  curl_mimepart *part = curl_mime_addpart(m->mime);
  if(program.noting && part) {
    c_program_put("    part = curl_mime_addpart(");
    put_mime_name(m);
    c_program_put(");\n");
  }
  return part;
}

CURLcode mote_cli_mime_subparts(curl_mimepart *part, const struct tool_mime *m)
{
  CURLcode rc = curl_mime_subparts(part, m->mime);
  if(program.noting && !rc) {
    c_program_put("    curl_mime_subparts(part, ");
    put_mime_name(m);
    c_program_put(");\n");
  }
  return rc;
}

static const struct {
  char name[20];
  CURLcode (*set)(curl_mimepart *part, const char *text);
} mime_texts[] = {
  [MIME_NAME] = { "curl_mime_name", curl_mime_name },
  [MIME_TYPE] = { "curl_mime_type", curl_mime_type },
  [MIME_ENCODER] = { "curl_mime_encoder", curl_mime_encoder },
  [MIME_FILENAME] = { "curl_mime_filename", curl_mime_filename },
  [MIME_FILEDATA] = { "curl_mime_filedata", curl_mime_filedata },
};

void mote_cli_mime_note(enum mime_text what, const char *text)
{
  if(!program.noting)
    return;
  c_program_put("    ");
  c_program_put(mime_texts[what].name);
  c_program_put("(part, ");
  if(text)
    c_program_put_text(text);
  else
    c_program_put("NULL");
  c_program_put(");\n");
}

CURLcode mote_cli_mime_text(curl_mimepart *part, enum mime_text what, const char *text)
{
  CURLcode rc = mime_texts[what].set(part, text);
  if(!rc)
    mote_cli_mime_note(what, text);
  return rc;
}

CURLcode mote_cli_mime_data(curl_mimepart *part, const char *bytes, size_t len)
{
  CURLcode rc = curl_mime_data(part, bytes, len);
  if(program.noting && !rc) {
    c_program_put("    curl_mime_data(part, ");
    c_program_put_literal(bytes, len);
    c_program_put(", ");
    mote_cli_out_num(&program.out, (curl_off_t)len);
    c_program_put(");\n");
  }
  return rc;
}

/* The program makes the list without a name, from its end. */
CURLcode mote_cli_mime_headers(curl_mimepart *part, struct curl_slist *list)
{
  CURLcode rc = curl_mime_headers(part, list, 1);
  const struct curl_slist *l;
  if(!program.noting || rc)
    return rc;
  c_program_put("    curl_mime_headers(part, ");
  for(l = list; l; l = l->next)
    c_program_put("curl_slist_append(");
  c_program_put("NULL");
  for(l = list; l; l = l->next) {
    c_program_put(", ");
    c_program_put_text(l->data);
    c_program_put(")");
  }
  c_program_put(", 1);\n");
  return rc;
}

CURLcode mote_cli_mime_post(const struct transfer *t)
{
  CURLcode rc = curl_easy_setopt(t->handle, CURLOPT_MIMEPOST, t->mime);
  if(program.mimes && begin_option(CURLOPT_MIMEPOST, rc))
    c_program_put("mime_0);\n");
  return rc;
}

CURLcode mote_cli_program_begin(const char *path)
{
  int fd = strcmp(path, "-") ? mote_cli_system_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : 1;
  if(fd < 0) {
    mote_cli_error("(%d) cannot write %s: %s", (int)CURLE_WRITE_ERROR, path, strerror(errno));
    return CURLE_WRITE_ERROR;
  }
  program.open = true;
  mote_cli_out_init(&program.out, fd, fd == 1 && mote_cli.out_tty);
  c_program_put("/* The transfers of a command line, written by mote " MOTE_VERSION " --libcurl. "
                "Build it with\n"
                " *   cc -o program program.c $(pkg-config --cflags --libs libcurl) */\n"
                "#include <curl/curl.h>\n"
                "#include <stdio.h>\n"
                "\n"
                "int main(void)\n"
                "{\n"
                "  char error[CURL_ERROR_SIZE] = \"\";\n"
                "  CURLcode rc = CURLE_FAILED_INIT;\n"
                "  CURL *curl = curl_easy_init();\n"
                "  if(!curl)\n"
                "    return (int)rc;\n");
  return CURLE_OK;
}

CURLcode mote_cli_program_end(void)
{
  if(!program.open)
    return CURLE_OK;
  c_program_put("\n  curl_easy_cleanup(curl);\n  return (int)rc;\n}\n");
  mote_cli_out_flush(&program.out);
  if(program.out.fd != 1 && close(program.out.fd) && !program.out.failed) {
    program.out.failed = true;
    program.out.error = errno;
  }
  program.open = false;
  if(!program.out.failed)
    return CURLE_OK;
  mote_cli_error("(%d) cannot write %s: %s", (int)CURLE_WRITE_ERROR, mote_cli.texts[GSTR_LIBCURL],
                 strerror(program.out.error));
  return CURLE_WRITE_ERROR;
}

/* "FILE *name = fopen(...)", and the option that takes it. */
static void put_file(const char *name, const char *path, const char *mode, const char *option,
                     const char *code)
{
  c_program_put("    FILE *");
  c_program_put(name);
  c_program_put(" = fopen(");
  c_program_put_text(path);
  c_program_put(", \"");
  c_program_put(mode);
  c_program_put("\");\n    if(!");
  c_program_put(name);
  c_program_put(") {\n      perror(");
  c_program_put_text(path);
  c_program_put(");\n      return ");
  c_program_put(code);
  c_program_put(";\n    }\n    curl_easy_setopt(curl, CURLOPT_");
  c_program_put(option);
  c_program_put(", ");
  c_program_put(name);
  c_program_put(");\n");
}

struct part_left_out {
  const char *option;
  int flag; /* enum op_flag, or -1 */
  int slot; /* enum slot, or 0 */
};

/* What the command does before or after a transfer, but the program does not. */
static void put_left_out(const struct transfer *t)
{
  static const struct part_left_out all[] = {
    { "--create-dirs", FLAG_CREATE_DIRS, 0 },         { "--etag-save", -1, SLOT_ETAG_SAVE },
    { "--fail-with-body", FLAG_FAIL_BODY, 0 },
    { "--ip-tos", -1, SLOT_IP_TOS },                  { "--mptcp", FLAG_MPTCP, 0 },
    { "--no-clobber", FLAG_NO_CLOBBER, 0 },           { "--remote-header-name", FLAG_REMOTE_HEADER_NAME, 0 },
    { "--remote-time", FLAG_REMOTE_TIME, 0 },         { "--remove-on-error", FLAG_REMOVE_ON_ERROR, 0 },
    { "--retry", -1, SLOT_RETRY },                    { "--vlan-priority", -1, SLOT_VLAN },
    { "--write-out", -1, SLOT_WRITE_OUT },            { "--xattr", FLAG_XATTR, 0 },
  };
  bool some = false;
  for(size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if((all[i].flag >= 0 && mote_cli_op_flag(t->op, (enum op_flag)all[i].flag)) ||
       (all[i].slot && mote_cli_op_find(t->op, all[i].slot))) {
      c_program_put(some ? ", " : "    /* Not done here: ");
      c_program_put(all[i].option);
      some = true;
    }
  if(some)
    c_program_put(" */\n");
}

static const char *input_of(const struct transfer *t)
{
  const char *name = t->in_name ? t->in_name : t->op->post.set ? t->op->post.file : NULL;
  return name && strcmp(name, "-") && (t->op->post.file || strcmp(name, ".")) ? name : NULL;
}

static const char *dump_of(const struct transfer *t)
{
  const char *dump = mote_cli_op_get_text(t->op, SLOT_DUMP_HEADER);
  return dump && strcmp(dump, "-") && strcmp(dump, "%") ? dump : NULL;
}

void mote_cli_program_transfer(const struct transfer *t)
{
  const char *dump = mote_cli_op_get_text(t->op, SLOT_DUMP_HEADER);
  program.noting = program.open && !t->retry.count;
  if(!program.noting)
    return;
  program.lists = 0;
  program.mimes = 0;
  c_program_put("\n  { /* transfer ");
  mote_cli_out_num(&program.out, ++program.transfers);
  c_program_put(" */\n");
  put_left_out(t);
  if(t->out_null)
    put_file("out", MOTE_SYSTEM_NULL, "wb", "WRITEDATA", "CURLE_WRITE_ERROR");
  else if(t->out_name)
    put_file("out", t->out_name, t->resume_from ? "ab" : "wb", "WRITEDATA", "CURLE_WRITE_ERROR");
  if(dump_of(t))
    put_file("head", dump, dump == program.dump ? "ab" : "wb", "HEADERDATA", "CURLE_WRITE_ERROR");
  else if(dump)
    c_program_put(*dump == '-' ? "    curl_easy_setopt(curl, CURLOPT_HEADERDATA, stdout);\n"
                     : "    curl_easy_setopt(curl, CURLOPT_HEADERDATA, stderr);\n");
  program.dump = dump;
  if(input_of(t))
    put_file("in", input_of(t), "rb", "READDATA", "CURLE_READ_ERROR");
  if(mote_cli_op_flag(t->op, FLAG_SHOW_HEADERS))
    c_program_put("    curl_easy_setopt(curl, CURLOPT_HEADER, 1L);\n");
}

void mote_cli_program_perform(const struct transfer *t)
{
  if(!program.noting)
    return;
  program.noting = false;
  c_program_put("    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);\n"
                "    rc = curl_easy_perform(curl);\n"
                "    if(rc)\n"
                "      fprintf(stderr, \"(%d) %s\\n\", (int)rc, "
                "error[0] ? error : curl_easy_strerror(rc));\n");
  if(mote_cli_op_find(t->op, CURLOPT_COOKIEJAR)) /* the reset takes the file's name away */
    c_program_put("    curl_easy_setopt(curl, CURLOPT_COOKIELIST, \"FLUSH\");\n");
  c_program_put("    curl_easy_reset(curl);\n");
  for(unsigned i = 0; i < program.lists; i++) {
    c_program_put("    curl_slist_free_all(");
    put_list_name(program.list[i]);
    c_program_put(");\n");
  }
  if(program.mimes)
    c_program_put("    curl_mime_free(mime_0);\n");
  if(input_of(t))
    c_program_put("    fclose(in);\n");
  if(dump_of(t))
    c_program_put("    fclose(head);\n");
  if(t->out_null || t->out_name)
    c_program_put("    if(fclose(out) && !rc)\n      rc = CURLE_WRITE_ERROR;\n");
  c_program_put("  }\n");
  mote_cli_out_flush(&program.out); /* with "-" it has to precede the body */
}
