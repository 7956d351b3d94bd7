/* tests/unit/tls/pki.h: the certificates that the tests of the stream share, after peer.h. */
#ifndef MOTE_TEST_TLS_PKI_H
#define MOTE_TEST_TLS_PKI_H

static struct cert root;         /* in ca.pem */
static struct cert intermediate; /* signed by root, in intermediate.pem */
static struct cert leaf;         /* for localhost, *.example.com, 127.0.0.1, ::1; signed by root */
static struct cert deep_leaf;    /* for localhost; signed by intermediate */
static struct cert expired;
static struct cert no_san;       /* common name localhost */
static struct cert self_signed;  /* for localhost */
static struct cert client_cert;  /* client.pem (and key), signed by root */
static struct cert stranger;     /* an unknown root, in stranger.pem */

static const char *const pki_files[] = {
  "ca.pem", "intermediate.pem", "client.pem", "locked.pem", "stranger.pem", "self.pem", "client.der",
  "key.der", "client.p12", "pin.pem", "pin.der", "crl.pem", "keys.log", "bad.pem", NULL
};

static inline void pki_make(void)
{
  const struct cert *const ca[] = { &root, NULL };
  const struct cert *const middle[] = { &intermediate, NULL };
  const struct cert *const own[] = { &client_cert, NULL };
  const struct cert *const strange[] = { &stranger, NULL };
  const struct cert *const self[] = { &self_signed, NULL };
  cert_make(&root, NULL, &(struct cert_wish){ .name = "Test Root", .ca = true });
  cert_make(&stranger, NULL, &(struct cert_wish){ .name = "Stranger", .ca = true });
  cert_make(&intermediate, &root, &(struct cert_wish){
            .name = "Test Intermediate", .serial = 2, .ca = true });
  cert_make(&leaf, &root, &(struct cert_wish){ .name = "ignored", .serial = 3,
            .san = "DNS:localhost,DNS:*.example.com,IP:127.0.0.1,IP:::1" });
  cert_make(&deep_leaf, &intermediate, &(struct cert_wish){ .name = "deep", .serial = 4,
            .san = "DNS:localhost" });
  cert_make(&expired, &root, &(struct cert_wish){ .name = "old", .san = "DNS:localhost", .serial = 5,
            .from = -7200, .until = -3600 });
  cert_make(&no_san, &root, &(struct cert_wish){ .name = "localhost", .serial = 6 });
  cert_make(&self_signed, NULL, &(struct cert_wish){ .name = "self", .san = "DNS:localhost" });
  cert_make(&client_cert, &root, &(struct cert_wish){ .name = "client", .serial = 7 });
  write_pem("ca.pem", ca, false, NULL);
  write_pem("intermediate.pem", middle, false, NULL);
  write_pem("stranger.pem", strange, false, NULL);
  write_pem("self.pem", self, false, NULL);
  write_pem("client.pem", own, true, NULL);
  write_pem("locked.pem", own, true, "sesame");
  write_file("bad.pem", "nothing\n", 8);
}

static inline void pki_free(void)
{
  size_t i;
  cert_free(&root);
  cert_free(&intermediate);
  cert_free(&leaf);
  cert_free(&deep_leaf);
  cert_free(&expired);
  cert_free(&no_san);
  cert_free(&self_signed);
  cert_free(&client_cert);
  cert_free(&stranger);
  for(i = 0; pki_files[i]; i++)
    unlink(in_dir(pki_files[i]));
  rmdir(test_dir);
}

/* Trusts root only. */
static inline struct mote_tls_config trusting(void)
{
  static _Thread_local char ca[128];
  struct mote_tls_config cfg;
  snprintf(ca, sizeof ca, "%s", in_dir("ca.pem"));
  mote_tls_config_init(&cfg);
  cfg.ca_file = ca;
  cfg.ca_path = "";
  return cfg;
}

/* After a test: nothing stays. */
static inline void end(void)
{
  client_close();
  server_close();
  mote_tls_cleanup();
}

/* A few bytes each way. */
static inline void check_exchange(void)
{
  char buf[64];
  size_t len;
  CHECK_INT(client_write("ping", 4), CURLE_OK);
  CHECK_INT(server_read(buf, sizeof buf), 4);
  server_write("pong", 4);
  CHECK_INT(client_read(buf, 4, &len), CURLE_OK);
  CHECK_MEM(buf, len, "pong", 4);
}

/* The result of one handshake; everything is closed again. */
static inline CURLcode try_connect(const struct mote_tls_config *cfg, const char *host)
{
  CURLcode rc = client_connect(cfg, host, NULL);
  client_close();
  return rc;
}

#endif
