/* auth/gss.c: GSS-API by MIT krb5 (auth/gss.h). The library's constants are its variables, so the few object
 * identifiers that are needed stand here: a command that loads libraries late has functions alone of them. */
#include "auth/gss.h"

#include <errno.h>
#include <gssapi/gssapi.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/text/format.h"

struct mote_gss {
  struct mote_account *account; /* pays; borrowed */
  gss_ctx_id_t context;
  gss_name_t name;              /* of the peer */
  gss_buffer_desc out;          /* what the last call gave */
  OM_uint32 wanted;             /* GSS_C_*_FLAG */
  OM_uint32 granted;            /* likewise, when it is established */
  uint8_t mechanism;            /* enum mote_gss_mechanism */
  bool established;
};

/* ---- names of mechanisms and of kinds of names ---- */

static gss_OID_desc kerberos = {9, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x02"};          /* RFC 1964 */
static gss_OID_desc spnego = {6, "\x2b\x06\x01\x05\x05\x02"};                        /* RFC 4178 */
static gss_OID_desc service_at_host = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"}; /* RFC 2743 */
static gss_OID_desc principal = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01"};    /* RFC 1964 */

bool mote_gss_is_there(void)
{
  return true;
}

static gss_OID mechanism_of(const struct mote_gss *g)
{
  return g->mechanism == MOTE_GSS_SPNEGO ? &spnego : &kerberos;
}

/* ---- errors ---- */

#define TEXT_ROOM 400 /* bytes for the library's words; they are cut there */

struct text {
  size_t len;
  char bytes[TEXT_ROOM];
};

/* MIT krb5 has a minor status for each failure, even where it has nothing to add. */
static bool says_nothing(struct mote_slice words)
{
  return mote_slice_is(words, "Success") || mote_slice_is(words, "Unknown code 0");
}

/* Adds what the library says of a status, in one line. */
static void add_status(struct text *t, OM_uint32 status, int kind)
{
  OM_uint32 more = 0, minor;
  do {
    gss_buffer_desc s = GSS_C_EMPTY_BUFFER;
    struct mote_slice words;
    if(GSS_ERROR(gss_display_status(&minor, status, kind, &kerberos, &more, &s)))
      return;
    words.ptr = s.value;
    words.len = s.length < TEXT_ROOM ? s.length : TEXT_ROOM;
    if(!says_nothing(words))
      t->len += (size_t)mote_snprintf(t->bytes + t->len, TEXT_ROOM - t->len, "%s%.*s", t->len ? ": " : "",
                                      (int)words.len, words.ptr);
    (void)gss_release_buffer(&minor, &s);
  } while(more);
}

/* SPNEGO only says that no mechanism has credentials. Kerberos says why. */
static OM_uint32 ask_kerberos(OM_uint32 *minor)
{
  gss_OID_set_desc mechanisms = {1, &kerberos};
  gss_cred_id_t credentials = GSS_C_NO_CREDENTIAL;
  OM_uint32 ignored, major = gss_acquire_cred(minor, GSS_C_NO_NAME, 0, &mechanisms, GSS_C_INITIATE,
                                              &credentials, NULL, NULL);
  if(credentials != GSS_C_NO_CREDENTIAL)
    (void)gss_release_cred(&ignored, &credentials);
  return major;
}

static CURLcode gss_failed(const struct mote_gss *g, struct mote_report *report, OM_uint32 major,
                           OM_uint32 minor)
{
  struct text t = {0, ""};
  if(minor == ENOMEM)
    return CURLE_OUT_OF_MEMORY;
  if(GSS_ROUTINE_ERROR(major) == GSS_S_NO_CRED && g->mechanism == MOTE_GSS_SPNEGO)
    major = ask_kerberos(&minor);
  add_status(&t, major, GSS_C_GSS_CODE);
  if(minor)
    add_status(&t, minor, GSS_C_MECH_CODE);
  return mote_fail_as(CURLE_AUTH_ERROR, report, "GSS-API: %s", t.bytes);
}

/* ---- the context ---- */

static OM_uint32 flags_of(const struct mote_gss_peer *peer)
{
  OM_uint32 flags = GSS_C_MUTUAL_FLAG | GSS_C_REPLAY_FLAG;
  if(peer->delegation & CURLGSSAPI_DELEGATION_POLICY_FLAG)
    flags |= GSS_C_DELEG_POLICY_FLAG;
  if(peer->delegation & CURLGSSAPI_DELEGATION_FLAG)
    flags |= GSS_C_DELEG_FLAG;
  return flags;
}

static CURLcode import_name(struct mote_gss *g, struct mote_report *report, const struct mote_gss_peer *peer)
{
  bool whole = peer->whole;
  char name[MOTE_GSS_NAME_MAX + 1];
  gss_buffer_desc text;
  OM_uint32 major, minor;
  if(peer->service.len + 1 + (whole ? 0 : peer->host.len) > MOTE_GSS_NAME_MAX)
    return mote_fail_as(CURLE_AUTH_ERROR, report, "The name of a service for GSS-API is longer than %u bytes",
                        MOTE_GSS_NAME_MAX);
  text.value = name;
  text.length = (size_t)(whole ? mote_snprintf(name, sizeof name, "%.*s", (int)peer->service.len,
                                               peer->service.ptr)
                               : mote_snprintf(name, sizeof name, "%.*s@%.*s", (int)peer->service.len,
                                               peer->service.ptr, (int)peer->host.len, peer->host.ptr));
  major = gss_import_name(&minor, &text, whole ? &principal : &service_at_host, &g->name);
  return GSS_ERROR(major) ? gss_failed(g, report, major, minor) : CURLE_OK;
}

CURLcode mote_gss_new(struct mote_gss **out, struct mote_account *account, struct mote_report *report,
                      const struct mote_gss_peer *peer)
{
  struct mote_gss *g = mote_mem_zalloc(account, MOTE_PART_CONN, sizeof *g);
  CURLcode rc;
  *out = NULL;
  if(!g)
    return CURLE_OUT_OF_MEMORY;
  g->account = account;
  g->mechanism = peer->mechanism;
  g->wanted = flags_of(peer);
  rc = import_name(g, report, peer);
  if(rc) {
    mote_gss_close(g);
    return rc;
  }
  *out = g;
  return CURLE_OK;
}

/* An unwrapped message without bytes has a block all the same, which MIT krb5 only frees with a length. */
static void release_out(struct mote_gss *g)
{
  OM_uint32 minor;
  if(g->out.value && !g->out.length)
    g->out.length = 1;
  (void)gss_release_buffer(&minor, &g->out);
}

static struct mote_slice gss_given(const struct mote_gss *g)
{
  struct mote_slice s = {g->out.value, g->out.length};
  return s;
}

static gss_buffer_desc buffer_of(struct mote_slice s)
{
  gss_buffer_desc b = GSS_C_EMPTY_BUFFER;
  b.length = s.len;
  memcpy(&b.value, &s.ptr, sizeof b.value); /* the library only reads it */
  return b;
}

CURLcode mote_gss_step(struct mote_gss *g, struct mote_report *report, struct mote_slice from_peer,
                       struct mote_slice *to_peer)
{
  gss_buffer_desc in = buffer_of(from_peer);
  OM_uint32 major, minor;
  release_out(g);
  major = gss_init_sec_context(&minor, GSS_C_NO_CREDENTIAL, &g->context, g->name, mechanism_of(g),
                               g->wanted, 0, GSS_C_NO_CHANNEL_BINDINGS, &in, NULL, &g->out, &g->granted,
                               NULL);
  if(GSS_ERROR(major))
    return gss_failed(g, report, major, minor);
  g->established = !(major & GSS_S_CONTINUE_NEEDED);
  *to_peer = gss_given(g);
  return CURLE_OK;
}

bool mote_gss_is_established(const struct mote_gss *g)
{
  return g->established;
}

bool mote_gss_can_encrypt(const struct mote_gss *g)
{
  return (g->granted & GSS_C_CONF_FLAG) != 0;
}

bool mote_gss_can_sign(const struct mote_gss *g)
{
  return (g->granted & GSS_C_INTEG_FLAG) != 0;
}

/* ---- messages ---- */

CURLcode mote_gss_wrap(struct mote_gss *g, struct mote_report *report, bool encrypt,
                       struct mote_slice message, struct mote_slice *wrapped)
{
  gss_buffer_desc in = buffer_of(message);
  OM_uint32 major, minor;
  int encrypted = 0;
  release_out(g);
  major = gss_wrap(&minor, g->context, encrypt, GSS_C_QOP_DEFAULT, &in, &encrypted, &g->out);
  if(GSS_ERROR(major))
    return gss_failed(g, report, major, minor);
  if(encrypt && !encrypted)
    return mote_fail_as(CURLE_AUTH_ERROR, report, "GSS-API: the context cannot encrypt");
  *wrapped = gss_given(g);
  return CURLE_OK;
}

CURLcode mote_gss_unwrap(struct mote_gss *g, struct mote_report *report, struct mote_slice wrapped,
                         struct mote_slice *message, bool *encrypted)
{
  gss_buffer_desc in = buffer_of(wrapped);
  OM_uint32 major, minor;
  int secret = 0;
  release_out(g);
  major = gss_unwrap(&minor, g->context, &in, &g->out, &secret, NULL);
  if(major != GSS_S_COMPLETE) /* also a message that came before, or out of order */
    return gss_failed(g, report, major, minor);
  *message = gss_given(g);
  *encrypted = secret != 0;
  return CURLE_OK;
}

void mote_gss_close(struct mote_gss *g)
{
  OM_uint32 minor;
  if(!g)
    return;
  release_out(g);
  if(g->context != GSS_C_NO_CONTEXT)
    (void)gss_delete_sec_context(&minor, &g->context, GSS_C_NO_BUFFER);
  if(g->name != GSS_C_NO_NAME)
    (void)gss_release_name(&minor, &g->name);
  mote_mem_free(g->account, MOTE_PART_CONN, g, sizeof *g);
}
