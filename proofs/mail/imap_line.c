/* Any line of a server. */
#include "codec/mail/imap.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND), rest = s, word, value;
  struct mote_imap_line line;
  mote_imap_read(&line, s, nondet_bool() ? "A1" : "");
  PROVE(line.kind <= MOTE_IMAP_GO_ON && line.status <= MOTE_IMAP_PREAUTH);
  PROVE(proof_within(line.word, s) && proof_within(line.rest, s));
  PROVE(line.literal >= MOTE_IMAP_BAD_LITERAL);
  if(mote_imap_code(s, "OK", &value))
    PROVE(proof_within(value, s) && value.len < s.len);
  if(mote_imap_next_word(&rest, &word))
    PROVE(word.len && proof_within(word, s) && proof_within(rest, s) && rest.len < s.len);
  return 0;
}
