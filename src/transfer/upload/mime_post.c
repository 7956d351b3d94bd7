/* transfer/upload/mime_post.c: makes a form of the list that curl_formadd(3) has built
 * (CURLOPT_HTTPPOST(3)). Texts of the list are borrowed, as it has to stay until the transfer is over. */
#include <string.h>

#include "transfer/upload/mime.h"
#include "transfer/upload/stdio.h"

static void mime_post_borrow(struct curl_mimepart *p, const char *bytes, size_t len)
{
  mote_mime_clear(p);
  p->kind = MOTE_MIME_DATA;
  p->text.ptr = (char *)(uintptr_t)bytes;
  p->text.size = 0;
  p->size = (curl_off_t)len;
}

static CURLcode keep_text(struct curl_mimepart *p, struct mote_mime_string *s, const char *text)
{
  return mote_mime_keep(p, s, text, text ? strlen(text) : 0);
}

static size_t read_stdin(char *to, size_t size, size_t n, void *arg)
{
  (void)arg;
  return mote_stdio_read(to, size * n, NULL);
}

static int seek_stdin(void *arg, curl_off_t offset, int origin)
{
  (void)arg;
  (void)offset;
  (void)origin;
  return mote_stdio_rewind(NULL) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

/* "-" is standard input, whose size is unknown. Sent again, it begins where the file does, as in libcurl. */
static CURLcode mime_post_file_content(struct curl_mimepart *p, const char *path)
{
  static const struct mote_mime_callback from_stdin = {.read = read_stdin, .seek = seek_stdin};
  if(strcmp(path, "-"))
    return mote_mime_set_file(p, path);
  mote_mime_set_callback(p, -1, &from_stdin);
  return CURLE_OK;
}

static curl_off_t length_of(const struct curl_httppost *post)
{
  return post->flags & CURL_HTTPPOST_LARGE ? post->contentlen : post->contentslength;
}

static CURLcode mime_post_content(struct curl_mimepart *p, const struct curl_httppost *post,
                                  curl_read_callback read)
{
  curl_off_t len = length_of(post);
  if(post->flags & (CURL_HTTPPOST_FILENAME | CURL_HTTPPOST_READFILE))
    return mime_post_file_content(p, post->contents);
  if(post->flags & CURL_HTTPPOST_CALLBACK) {
    struct mote_mime_callback call = {.read = read, .arg = post->userp};
    mote_mime_set_callback(p, len > 0 ? len : -1, &call);
  }
  else if(post->flags & CURL_HTTPPOST_BUFFER)
    mime_post_borrow(p, post->buffer, post->bufferlength > 0 ? (size_t)post->bufferlength
                     : strlen(post->buffer));
  else
    mime_post_borrow(p, post->contents, len > 0 ? (size_t)len : strlen(post->contents));
  return CURLE_OK;
}

/* One file or text; `first` is the entry of the first file of the same name, which names them all. */
static CURLcode mime_post_fill(struct curl_mimepart *p, const struct curl_httppost *post,
                               const struct curl_httppost *first, curl_read_callback read)
{
  const long named = CURL_HTTPPOST_FILENAME | CURL_HTTPPOST_BUFFER | CURL_HTTPPOST_CALLBACK;
  CURLcode rc = mime_post_content(p, post, read);
  mote_mime_set_headers(p, post->contentheader, false);
  if(!rc)
    rc = keep_text(p, &p->type, post->contenttype);
  if(!rc && (first->flags & named) && first->showfilename)
    rc = keep_text(p, &p->filename, first->showfilename);
  else if(!rc && !(post->flags & CURL_HTTPPOST_FILENAME))
    rc = keep_text(p, &p->filename, NULL);
  return rc;
}

static CURLcode fill_several(struct curl_mimepart *p, const struct curl_httppost *first,
                             curl_read_callback read)
{
  struct curl_mime *inner = mote_mime_new();
  const struct curl_httppost *post;
  CURLcode rc = inner ? mote_mime_set_form(p, inner) : CURLE_OUT_OF_MEMORY;
  for(post = first; post && !rc; post = post->more) {
    struct curl_mimepart *one = mote_mime_add(inner);
    rc = one ? mime_post_fill(one, post, first, read) : CURLE_OUT_OF_MEMORY;
  }
  return rc;
}

static CURLcode mime_post_one_part(struct curl_mime *m, const struct curl_httppost *post,
                                   curl_read_callback read)
{
  struct curl_mimepart *p = mote_mime_add(m);
  CURLcode rc;
  if(!p)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_mime_keep(p, &p->name, post->name,
                      post->namelength > 0 ? (size_t)post->namelength : post->name ? strlen(post->name) : 0);
  if(rc)
    return rc;
  return post->more ? fill_several(p, post, read) : mime_post_fill(p, post, post, read);
}

CURLcode mote_mime_from_post(const struct curl_httppost *post, curl_read_callback read,
                             struct curl_mime **out)
{
  struct curl_mime *m = mote_mime_new();
  CURLcode rc = m ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  for(; post && !rc; post = post->next)
    rc = mime_post_one_part(m, post, read);
  if(rc) {
    mote_mime_close(m);
    m = NULL;
  }
  *out = m;
  return rc;
}
