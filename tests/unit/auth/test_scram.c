/* tests/unit/auth/test_scram.c: the examples of RFC 5802 section 5 and RFC 7677 section 3, names that have a
 * code, challenges that are wrong or ask for too much, servers without proof, every allocation failing. */
#include "sasl_peer.h"

#define SERVER_NONCE "3rfcNHYJY1ZVvWVs7j"

static void set_up_scram(const char *offers, const char *nonce)
{
  static char bytes[MOTE_SASL_RANDOM];
  size_t len = 0;
  set_up(offers);
  (void)mote_base64_decode(mote_slice_of(nonce), bytes, &len);
  login.random = (struct mote_slice){bytes, len};
  auth.password = mote_slice_of("pencil");
}

static void set_up_sha1(void)
{
  set_up_scram("SCRAM-SHA-1 PLAIN", "fyko+d2lbbFgONRv9qkxdawL");
}

static const char first[] = "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL";
static const char challenge[] =
  "r=fyko+d2lbbFgONRv9qkxdawL" SERVER_NONCE ",s=QSXCR+Q6sek8bf92,i=4096";
static const char last[] =
  "c=biws,r=fyko+d2lbbFgONRv9qkxdawL" SERVER_NONCE ",p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=";

static void rfc_5802(void)
{
  set_up_sha1();
  if(begins("SCRAM-SHA-1") && exchanged("", first) && exchanged(challenge, last) &&
     exchanged("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=", ""))
    accepted();
  tear_down();
}

static void rfc_7677(void)
{
  set_up_scram("SCRAM-SHA-256", "rOprNGfwEbeRWgbNEkqO");
  login.initial = true;
  if(begins("SCRAM-SHA-256 biwsbj11c2VyLHI9ck9wck5HZndFYmVSV2diTkVrcU8=") &&
     exchanged("r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
               "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
               "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=") &&
     exchanged("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=", ""))
    accepted();
  tear_down();
}

TEST(examples)
{
  run_with_failures(rfc_5802);
  run_with_failures(rfc_7677);
}

TEST(names_have_a_code)
{
  set_up_sha1();
  auth.user = mote_slice_of("a,b=c");
  login.authzid = mote_slice_of("=,");
  begins("SCRAM-SHA-1");
  exchanged("", "n,a==3D=2C,n=a=2Cb=3Dc,r=fyko+d2lbbFgONRv9qkxdawL");
  tear_down();
}

/* A server's first message that says nothing: the next mechanism may do. */
TEST(wrong_challenges)
{
  static const char *const wrong[] = {
    "", "r=", "r=x,s=QQ==", "s=QQ==,r=x,i=1", "r=fyko+d2lbbFgONRv9qkxdawLx,s=,i=1",
    "r=fyko+d2lbbFgONRv9qkxdawLx,s=!,i=1", "r=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=0",
    "r=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=-1", "r=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=1x",
    "r=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=99999999999999999999", "m=x,r=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=1",
    "r=fyko+d2lbbFgONRv9qkxdawL\nx,s=QQ==,i=1", "R=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=1",
    "rx", "r-fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=1", "r=fyko+d2lbbFgONRv9qkxdawL\x7f,s=QQ==,i=1",
  };
  char salt[60 + 4 * 90];
  size_t i;
  for(i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    set_up_sha1();
    begins("SCRAM-SHA-1");
    exchanged("", first);
    cancelled(wrong[i], "PLAIN");
    tear_down();
  }
  strcpy(salt, "r=fyko+d2lbbFgONRv9qkxdawLx,s=");
  for(i = 0; i < 86; i++) /* 258 bytes */
    strcat(salt, "QUJD");
  strcat(salt, ",i=1");
  set_up_sha1();
  begins("SCRAM-SHA-1");
  exchanged("", first);
  cancelled(salt, "PLAIN");
  tear_down();
}

static void has_too_many_rounds(const char *text)
{
  set_up_sha1();
  begins("SCRAM-SHA-1");
  exchanged("", first);
  cancelled(text, "PLAIN");
  tear_down();
}

/* They would have the client compute for hours. Another mechanism may let the user in. */
TEST(too_many_rounds)
{
  has_too_many_rounds("r=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=100001");
  has_too_many_rounds("r=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=2147483648");
  has_too_many_rounds("r=fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=4294967297");
}

static void is_hostile(const char *text)
{
  set_up_sha1();
  begins("SCRAM-SHA-1");
  exchanged("", first);
  refused_challenge(text);
  tear_down();
}

/* They would have the client answer a challenge that is not of this login. */
TEST(hostile_challenges)
{
  is_hostile("r=fyko+d2lbbFgONRv9qkxdawL,s=QQ==,i=1");
  is_hostile("r=Fyko+d2lbbFgONRv9qkxdawLx,s=QQ==,i=1");
  is_hostile("r=x,s=QQ==,i=1");
}

static void has_no_proof(const char *text)
{
  set_up_sha1();
  begins("SCRAM-SHA-1");
  exchanged("", first);
  exchanged(challenge, last);
  refused_challenge(text);
  tear_down();
}

TEST(a_server_without_proof_is_refused)
{
  has_no_proof("");
  has_no_proof("v=");
  has_no_proof("e=other-error-that-the-server-reports-in-more-than-sixty-characters-of-text");
  has_no_proof("v=rmF9pqV8S7suAoZWja4dJRkFsKR=");
  has_no_proof("v=RmF9pqV8S7suAoZWja4dJRkFsKQ=");
  has_no_proof("v=rmF9pqV8S7suAoZWja4dJRkFsK");
  has_no_proof("e=invalid-proof");
  set_up_sha1();
  begins("SCRAM-SHA-1");
  exchanged("", first);
  refused(MOTE_SASL_ACCEPTED);
  begins("SCRAM-SHA-1");
  exchanged("", first);
  exchanged(challenge, last);
  refused(MOTE_SASL_ACCEPTED);
  begins("SCRAM-SHA-1");
  exchanged("", first);
  exchanged(challenge, last);
  exchanged("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=", "");
  refused(MOTE_SASL_CHALLENGE);
  tear_down();
}

int main(void)
{
  TEST_RUN(examples);
  TEST_RUN(names_have_a_code);
  TEST_RUN(wrong_challenges);
  TEST_RUN(too_many_rounds);
  TEST_RUN(hostile_challenges);
  TEST_RUN(a_server_without_proof_is_refused);
  return test_end();
}
