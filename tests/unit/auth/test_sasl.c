/* tests/unit/auth/test_sasl.c: choice among mechanisms, CURLOPT_LOGIN_OPTIONS, every conversation in exact
 * bytes, replies out of turn, challenges that nothing answers, every allocation failing. What has no RFC's
 * example was watched on the newest libcurl. */
#include "sasl_peer.h"

/* ---- the choice ---- */

static void chooses(const char *offers, const char *options, const char *command)
{
  set_up(offers);
  CHECK_INT(mote_sasl_options(&s, mote_slice_of(options), "+LOGIN"), CURLE_OK);
  begins(command);
  tear_down();
}

TEST(the_preferred_one_is_used)
{
  chooses("LOGIN PLAIN CRAM-MD5 DIGEST-MD5 SCRAM-SHA-1 SCRAM-SHA-256", "", "SCRAM-SHA-256");
  chooses("LOGIN PLAIN CRAM-MD5 DIGEST-MD5 SCRAM-SHA-1", "", "SCRAM-SHA-1");
  chooses("LOGIN PLAIN CRAM-MD5 DIGEST-MD5", "", "DIGEST-MD5");
  chooses("LOGIN PLAIN CRAM-MD5", "", "CRAM-MD5");
  chooses("LOGIN PLAIN", "", "PLAIN");
  chooses("login plain", "", "PLAIN");
  chooses("LOGIN", "", "LOGIN");
  chooses("PLAIN LOGIN EXTERNAL", "", "PLAIN");
  chooses("EXTERNAL", "", "");
  chooses("XOAUTH2 OAUTHBEARER", "", "");
  chooses("NTLM KERBEROS_V4 PLAI PLAINX", "", "");
  chooses("", "", "");
}

/* With CURLOPT_SASL_AUTHZID, mechanisms that can carry it come first: with the others the user would be in as
 * itself. */
TEST(an_identity_chooses_a_mechanism_that_carries_it)
{
  static const struct {
    const char *offers, *command;
  } rows[] = {
    {"DIGEST-MD5 CRAM-MD5 LOGIN PLAIN", "PLAIN"},
    {"CRAM-MD5 PLAIN SCRAM-SHA-1", "SCRAM-SHA-1"},
    {"CRAM-MD5 LOGIN", "CRAM-MD5"}, /* none can */
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    set_up(rows[i].offers);
    login.authzid = mote_slice_of("z");
    begins(rows[i].command);
    tear_down();
  }
  chooses("DIGEST-MD5 CRAM-MD5 LOGIN PLAIN", "", "DIGEST-MD5");
}

TEST(options_allow_mechanisms)
{
  chooses("LOGIN PLAIN", "AUTH=LOGIN", "LOGIN");
  chooses("LOGIN PLAIN", "auth=login;", "LOGIN");
  chooses("LOGIN PLAIN", "AUTH=LOGIN;AUTH=PLAIN", "PLAIN");
  chooses("LOGIN PLAIN", "AUTH=*", "PLAIN");
  chooses("LOGIN PLAIN", "AUTH=LOGIN;AUTH=*", "PLAIN");
  chooses("LOGIN PLAIN", "AUTH=NTLM", "");
  chooses("LOGIN PLAIN", "AUTH=+LOGIN", "");
  chooses("LOGIN PLAIN", "AUTH=PLAIN;AUTH=+LOGIN", "");
  chooses("LOGIN PLAIN", "AUTH=+LOGIN;AUTH=LOGIN", "LOGIN");
}

TEST(wrong_options)
{
  static const char *const wrong[] = {
    "AUTH", "AUTH=", "AUTH=;AUTH=PLAIN", "FOO=1", ";AUTH=PLAIN", " AUTH=PLAIN", "AUTH=PLAIN,LOGIN",
    "AUTH=PLAINX", "AUTH=PLAIN ", "AUTH=+APOP", "AUTH=PLAIN;;", "AUTH=PLAIN;X", "AUT", ";",
  };
  size_t i;
  for(i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    set_up("");
    CHECK_INT(mote_sasl_options(&s, mote_slice_of(wrong[i]), "+LOGIN"), CURLE_URL_MALFORMAT);
    tear_down();
  }
  set_up("");
  CHECK_INT(mote_sasl_options(&s, mote_slice_of("AUTH=+LOGIN"), NULL), CURLE_URL_MALFORMAT);
  tear_down();
}

TEST(what_options_say_of_other_ways)
{
  set_up("");
  CHECK(!s.named && !s.own);
  mote_sasl_options(&s, mote_slice_of("AUTH=+LOGIN"), "+LOGIN");
  CHECK(s.named && s.own);
  mote_sasl_options(&s, mote_slice_of("AUTH=PLAIN"), "+LOGIN");
  CHECK(s.named && !s.own);
  mote_sasl_options(&s, mote_slice_of("AUTH=*"), "+LOGIN");
  CHECK(!s.named && !s.own);
  tear_down();
}

static void http_auth_chooses(unsigned long schemes, const char *options, const char *command)
{
  set_up("SCRAM-SHA-1 DIGEST-MD5 CRAM-MD5 XOAUTH2 LOGIN");
  auth.token = mote_slice_of("tok");
  mote_sasl_http_auth(&s, schemes);
  CHECK_INT(mote_sasl_options(&s, mote_slice_of(options), NULL), CURLE_OK);
  CHECK_INT(s.named, schemes != CURLAUTH_BASIC && !strstr(options, "*"));
  begins(command);
  tear_down();
}

TEST(http_auth_allows_mechanisms)
{
  http_auth_chooses(CURLAUTH_BASIC, "", "SCRAM-SHA-1");
  http_auth_chooses(CURLAUTH_DIGEST, "", "DIGEST-MD5");
  http_auth_chooses(CURLAUTH_BEARER, "", "XOAUTH2");
  http_auth_chooses(CURLAUTH_BASIC | CURLAUTH_BEARER, "", "XOAUTH2");
  http_auth_chooses(CURLAUTH_ANY, "", "DIGEST-MD5");
  http_auth_chooses(CURLAUTH_NEGOTIATE, "", "");
  http_auth_chooses(CURLAUTH_DIGEST, "AUTH=CRAM-MD5", "CRAM-MD5");
  http_auth_chooses(CURLAUTH_DIGEST, "AUTH=*", "SCRAM-SHA-1");
}

TEST(a_token_is_used_before_a_password)
{
  set_up("PLAIN LOGIN");
  auth.token = mote_slice_of("tok");
  begins("PLAIN");
  mote_sasl_offer(&s, mote_slice_of("XOAUTH2"));
  begins("XOAUTH2");
  mote_sasl_offer(&s, mote_slice_of("OAUTHBEARER"));
  begins("OAUTHBEARER");
  mote_sasl_offer(&s, mote_slice_of("CRAM-MD5"));
  begins("CRAM-MD5");
  tear_down();
}

TEST(a_token_without_a_password_is_not_for_scram)
{
  set_up("SCRAM-SHA-256 SCRAM-SHA-1 XOAUTH2");
  auth.token = mote_slice_of("tok");
  begins("SCRAM-SHA-256");
  auth.password.len = 0;
  begins("XOAUTH2");
  tear_down();
}

TEST(what_is_enough_to_log_in)
{
  set_up("EXTERNAL PLAIN");
  CHECK(mote_sasl_is_wanted(&s, &auth));
  auth = (struct mote_auth_login){.given = false};
  CHECK(!mote_sasl_is_wanted(&s, &auth));
  auth.token = mote_slice_of("t");
  CHECK(mote_sasl_is_wanted(&s, &auth));
  auth.token.len = 0;
  mote_sasl_options(&s, mote_slice_of("AUTH=EXTERNAL"), NULL);
  CHECK(mote_sasl_is_wanted(&s, &auth));
  tear_down();
}

/* ---- conversations ---- */

static void plain(void)
{
  set_up("PLAIN");
  login.authzid = mote_slice_of("z");
  if(begins("PLAIN") && asked("go ahead", "egB1c2VyAHNlY3JldA=="))
    accepted();
  tear_down();
  set_up("PLAIN");
  login.initial = true;
  auth.user = mote_slice_of("us%65r");
  auth.user_coded = true;
  if(begins("PLAIN AHVzZXIAc2VjcmV0"))
    accepted();
  tear_down();
}

static void login_conversation(void)
{
  set_up("LOGIN");
  if(begins("LOGIN") && asked("VXNlcm5hbWU6", "dXNlcg==") && asked("", "c2VjcmV0"))
    accepted();
  tear_down();
  set_up("LOGIN");
  login.initial = true;
  auth.user.len = 0;
  if(begins("LOGIN =") && asked("", "c2VjcmV0"))
    accepted();
  tear_down();
}

static void external(void)
{
  set_up("EXTERNAL");
  auth.password.len = 0;
  mote_sasl_options(&s, mote_slice_of("AUTH=EXTERNAL"), NULL);
  if(begins("EXTERNAL") && asked("", "dXNlcg=="))
    accepted();
  auth.user.len = 0;
  if(begins("EXTERNAL") && asked("", ""))
    accepted();
  login.initial = true;
  if(begins("EXTERNAL ="))
    accepted();
  auth.password.len = 1;
  begins("");
  tear_down();
}

static void oauthbearer(void)
{
  set_up("OAUTHBEARER");
  auth.token = mote_slice_of("tok");
  auth.user = mote_slice_of("a,b=c");
  if(begins("OAUTHBEARER") &&
     asked("", "bixhPWE9MkNiPTNEYywBaG9zdD1ob3N0AXBvcnQ9MjUBYXV0aD1CZWFyZXIgdG9rAQE="))
    accepted();
  login.initial = true;
  if(begins("OAUTHBEARER bixhPWE9MkNiPTNEYywBaG9zdD1ob3N0AXBvcnQ9MjUBYXV0aD1CZWFyZXIgdG9rAQE=") &&
     asked("eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIn0=", "AQ=="))
    refused(MOTE_SASL_REJECTED);
  tear_down();
}

static void xoauth2(void)
{
  set_up("XOAUTH2");
  auth.token = mote_slice_of("tok");
  if(begins("XOAUTH2") && asked("", "dXNlcj11c2VyAWF1dGg9QmVhcmVyIHRvawEB"))
    accepted();
  login.initial = true;
  if(begins("XOAUTH2 dXNlcj11c2VyAWF1dGg9QmVhcmVyIHRvawEB"))
    refused(MOTE_SASL_CHALLENGE);
  tear_down();
}

/* RFC 2195 section 2. */
static void cram_md5(void)
{
  set_up("CRAM-MD5");
  login.initial = true;
  auth.user = mote_slice_of("tim");
  auth.password = mote_slice_of("tanstaaftanstaaf");
  if(begins("CRAM-MD5") && exchanged("<1896.697170952@postoffice.reston.mci.net>",
                                     "tim b913a602c7eda7a495b4e6e7334d3890"))
    accepted();
  auth.user = mote_slice_of("user");
  auth.password = mote_slice_of("");
  if(begins("CRAM-MD5") && asked("", "dXNlciA3NGU2ZjcyOThhOWMyZDE2ODkzNWY1OGMwMDFiYWQ4OA=="))
    accepted();
  tear_down();
}

static const char digest_challenge[] =
  "realm=\"elwood.innosoft.com\",nonce=\"OA6MG9tEQGm2hh\",qop=\"auth\",algorithm=md5-sess,charset=utf-8";
static const char digest_answer[] =
  "username=\"user\",realm=\"elwood.innosoft.com\",nonce=\"OA6MG9tEQGm2hh\","
  "cnonce=\"30de87cd1670d43484867e0fd79dd60a\",nc=\"00000001\",digest-uri=\"smtp/127.0.0.1\","
  "response=236bb0806a4580481fc6272347df9400,qop=auth";

static void set_up_digest(void)
{
  set_up("DIGEST-MD5 CRAM-MD5");
  login.random.ptr = "\x30\xde\x87\xcd\x16\x70\xd4\x34\x84\x86\x7e\x0f\xd7\x9d\xd6\x0a\x01\x02";
  login.host = mote_slice_of("127.0.0.1");
}

static void digest_md5(void)
{
  set_up_digest();
  if(begins("DIGEST-MD5") && exchanged(digest_challenge, digest_answer) &&
     exchanged("rspauth=c0129205c486a4d24f7b2c701b22ffbe", ""))
    accepted();
  tear_down();
}

TEST(challenges_of_digest_md5)
{
  static const char *const wrong[] = {
    "", "x", "realm=r,qop=auth,algorithm=md5-sess", "nonce=\"\",qop=auth,algorithm=md5-sess",
    "nonce=n,algorithm=md5-sess", "nonce=n,qop=auth-int,algorithm=md5-sess", "nonce=n,qop=auth",
    "nonce=n,qop=auth,algorithm=md5", "nonce=\"n,qop=auth,algorithm=md5-sess",
    "nonce=\"n\n\",qop=auth,algorithm=md5-sess",
  };
  static char large[2048 + 60];
  size_t i;
  for(i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    set_up_digest();
    begins("DIGEST-MD5");
    cancelled(wrong[i], "CRAM-MD5");
    tear_down();
  }
  memset(large, 'x', sizeof large - 1);
  memcpy(large, "nonce=n,qop=auth,algorithm=md5-sess,x=", 38);
  set_up_digest();
  begins("DIGEST-MD5");
  cancelled(large, "CRAM-MD5");
  tear_down();
}

/* A server that is not the one that knows the password. */
TEST(a_server_without_proof_is_refused)
{
  set_up_digest();
  begins("DIGEST-MD5");
  exchanged(digest_challenge, digest_answer);
  refused(MOTE_SASL_ACCEPTED);
  begins("DIGEST-MD5");
  exchanged(digest_challenge, digest_answer);
  refused_challenge("");
  begins("DIGEST-MD5");
  exchanged(digest_challenge, digest_answer);
  refused_challenge("rspauth=ea40f60335c427b5527b84dbabcdfffd");
  tear_down();
}

TEST(what_is_not_base64_is_cancelled)
{
  static const char *const wrong[] = {"!!", "====", "QQ", "QQ=", "QQ==x", "=", "-", "QUJD\tx", "A", "QUJDR"};
  static char large[MOTE_SASL_CHALLENGE_MAX + 5];
  size_t i;
  for(i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    set_up("CRAM-MD5 PLAIN");
    begins("CRAM-MD5");
    asked(wrong[i], "*");
    follows(MOTE_SASL_REJECTED, mote_slice_of(""), CURLE_OK, MOTE_SASL_COMMAND, "PLAIN");
    asked(wrong[i], "AHVzZXIAc2VjcmV0");
    accepted();
    tear_down();
  }
  memset(large, 'A', sizeof large - 1);
  set_up("CRAM-MD5");
  begins("CRAM-MD5");
  asked(large, "*");
  refused(MOTE_SASL_ACCEPTED);
  tear_down();
}

TEST(conversations)
{
  run_with_failures(cram_md5);
  run_with_failures(digest_md5);
  run_with_failures(plain);
  run_with_failures(login_conversation);
  run_with_failures(external);
  run_with_failures(oauthbearer);
  run_with_failures(xoauth2);
}

/* RFC 4954 section 4: a command has at most 512 bytes. What is longer is sent when it is asked for. */
TEST(a_long_initial_response_waits)
{
  static char password[400];
  enum mote_sasl_verdict verdict;
  memset(password, 'p', sizeof password);
  set_up("PLAIN");
  login.initial = true;
  login.initial_most = 504;
  auth.user = mote_slice_of("u");
  auth.password = (struct mote_slice){password, 369};
  CHECK(!mote_sasl_begin(&s, &login, &out, &verdict) && verdict == MOTE_SASL_COMMAND);
  CHECK_INT(strlen(sent()), 5 + 1 + 496);
  auth.password.len = 370;
  begins("PLAIN");
  refused(MOTE_SASL_ACCEPTED);
  begins("PLAIN");
  mote_buf_clear(&out);
  CHECK(!mote_sasl_next(&s, &login, MOTE_SASL_CHALLENGE, mote_slice_of(""), &out, &verdict));
  CHECK_INT(strlen(sent()), 500);
  accepted();
  tear_down();
}

TEST(replies_out_of_turn)
{
  set_up("PLAIN LOGIN");
  begins("PLAIN");
  refused(MOTE_SASL_ACCEPTED);
  begins("PLAIN");
  refused(MOTE_SASL_REJECTED);
  begins("PLAIN");
  asked("", "AHVzZXIAc2VjcmV0");
  refused(MOTE_SASL_CHALLENGE);
  mote_sasl_options(&s, mote_slice_of("AUTH=LOGIN"), NULL);
  begins("LOGIN");
  asked("", "dXNlcg==");
  refused(MOTE_SASL_ACCEPTED);
  tear_down();
}

/* A NUL would make two fields of one, and a line end another command. */
TEST(control_characters_are_refused)
{
  static const char *const wrong[] = {"a%00b", "%0d%0aQUIT", "a%01b", "%7f"};
  enum mote_sasl_verdict verdict;
  size_t i;
  login.initial = true;
  for(i = 0; i < 4; i++) {
    set_up("PLAIN");
    login.initial = true;
    auth.user = mote_slice_of(wrong[i]);
    auth.user_coded = true;
    CHECK_INT(mote_sasl_begin(&s, &login, &out, &verdict), CURLE_URL_MALFORMAT);
    auth.password = auth.user;
    auth.password_coded = true;
    auth.user = mote_slice_of("u");
    CHECK_INT(mote_sasl_begin(&s, &login, &out, &verdict), CURLE_URL_MALFORMAT);
    tear_down();
  }
  set_up("XOAUTH2");
  login.initial = true;
  auth.token = mote_slice_of("a\x01" "b");
  CHECK_INT(mote_sasl_begin(&s, &login, &out, &verdict), CURLE_BAD_FUNCTION_ARGUMENT);
  tear_down();
  set_up("PLAIN");
  login.initial = true;
  login.authzid = mote_slice_of("a\nb");
  CHECK_INT(mote_sasl_begin(&s, &login, &out, &verdict), CURLE_BAD_FUNCTION_ARGUMENT);
  tear_down();
}

#if MOTE_HAS_GSSAPI

/* No ticket is found, since what the library says follows from files that are not there. */
static void without_ticket(void)
{
  setenv("KRB5_CONFIG", "/dev/null", 1);
  setenv("KRB5CCNAME", "FILE:/nonexistent/ccache", 1);
  setenv("KRB5_CLIENT_KTNAME", "FILE:/nonexistent/keytab", 1);
}

static void uses_gssapi(const char *user, bool yes)
{
  set_up("GSSAPI PLAIN");
  auth.user = mote_slice_of(user);
  begins(yes ? "GSSAPI" : "PLAIN");
  tear_down();
}

TEST(gssapi_is_for_users_of_a_realm)
{
  uses_gssapi("", true);
  uses_gssapi("user@REALM", true);
  uses_gssapi("DOMAIN\\user", true);
  uses_gssapi("DOMAIN/user", true);
  uses_gssapi("user", false);
  uses_gssapi("@", false);
  uses_gssapi("user@", false);
  uses_gssapi("/user", false);
}

/* Without a ticket a password may do (the newest libcurl fails); without a password the login ends. */
TEST(gssapi_is_not_for_where_a_redirect_has_led)
{
  set_up("GSSAPI PLAIN");
  auth.user = mote_slice_of("user@REALM");
  auth.ticket = false;
  begins("PLAIN");
  tear_down();
}

TEST(gssapi_without_a_ticket)
{
  enum mote_sasl_verdict verdict;
  without_ticket();
  set_up("GSSAPI PLAIN");
  auth.user = mote_slice_of("u@R");
  begins("GSSAPI");
  asked("", "*");
  follows(MOTE_SASL_REJECTED, mote_slice_of(""), CURLE_OK, MOTE_SASL_COMMAND, "PLAIN");
  mote_sasl_offer(&s, mote_slice_of("GSSAPI"));
  login.initial = true;
  begins("PLAIN AHVAUgBzZWNyZXQ=");
  mote_sasl_offer(&s, mote_slice_of("GSSAPI"));
  auth.password.len = 0;
  CHECK_INT(mote_sasl_begin(&s, &login, &out, &verdict), CURLE_AUTH_ERROR);
  tear_down();
}
#endif

/* The answer to a challenge, before its base 64, begins so. */
static bool answer_begins(const char *challenge, const char *expected)
{
  enum mote_sasl_verdict verdict = MOTE_SASL_NONE;
  char text[400], plain[400];
  size_t len = 0;
  CURLcode rc;
  (void)mote_base64_encode(text, challenge, strlen(challenge));
  mote_buf_clear(&out);
  rc = mote_sasl_next(&s, &login, MOTE_SASL_CHALLENGE, mote_slice_of(text), &out, &verdict);
  if(rc == CURLE_OUT_OF_MEMORY)
    return false;
  CHECK_INT(rc, CURLE_OK);
  CHECK(out.len < sizeof plain && mote_base64_decode((struct mote_slice){out.ptr, out.len}, plain, &len));
  return CHECK(len >= strlen(expected) && !memcmp(plain, expected, strlen(expected)));
}

/* The user's quotes are quoted, the first realm counts, and none is an empty one. */
static void texts_of_digest_md5(void)
{
  set_up("DIGEST-MD5");
  auth.user = mote_slice_of("u\"\\x");
  if(begins("DIGEST-MD5"))
    answer_begins("nonce=n,qop=auth,algorithm=md5-sess", "username=\"u\\\"\\\\x\",realm=\"\",nonce=\"n\"");
  tear_down();
  set_up("DIGEST-MD5");
  if(begins("DIGEST-MD5"))
    answer_begins("realm=a,realm=b,nonce=n,qop=auth,algorithm=md5-sess",
                  "username=\"user\",realm=\"a\",nonce=\"n\"");
  tear_down();
}

TEST(digest_md5_texts)
{
  run_with_failures(texts_of_digest_md5);
}

TEST(digest_md5_without_proof)
{
  static const char *const last[] = {"", "x=y", "rspauth=\"x", "rspauth=00000000000000000000000000000000"};
  size_t i;
  for(i = 0; i < sizeof last / sizeof *last; i++) {
    set_up("DIGEST-MD5");
    begins("DIGEST-MD5");
    answer_begins("realm=a,nonce=n,qop=auth,algorithm=md5-sess", "username=\"user\"");
    refused_challenge(last[i]);
    tear_down();
  }
}

TEST(cram_md5_without_a_user)
{
  set_up("CRAM-MD5");
  auth.user = mote_slice_of("");
  begins("CRAM-MD5");
  answer_begins("<1@host>", " ");
  tear_down();
}

int main(void)
{
  TEST_RUN(the_preferred_one_is_used);
  TEST_RUN(an_identity_chooses_a_mechanism_that_carries_it);
  TEST_RUN(options_allow_mechanisms);
  TEST_RUN(wrong_options);
  TEST_RUN(what_options_say_of_other_ways);
  TEST_RUN(http_auth_allows_mechanisms);
  TEST_RUN(a_token_is_used_before_a_password);
  TEST_RUN(a_token_without_a_password_is_not_for_scram);
  TEST_RUN(what_is_enough_to_log_in);
  TEST_RUN(conversations);
  TEST_RUN(challenges_of_digest_md5);
  TEST_RUN(a_server_without_proof_is_refused);
  TEST_RUN(what_is_not_base64_is_cancelled);
#if MOTE_HAS_GSSAPI
  TEST_RUN(gssapi_is_for_users_of_a_realm);
  TEST_RUN(gssapi_is_not_for_where_a_redirect_has_led);
  TEST_RUN(gssapi_without_a_ticket);
#endif
  TEST_RUN(a_long_initial_response_waits);
  TEST_RUN(replies_out_of_turn);
  TEST_RUN(control_characters_are_refused);
  TEST_RUN(digest_md5_texts);
  TEST_RUN(digest_md5_without_proof);
  TEST_RUN(cram_md5_without_a_user);
  return test_end();
}
