/* api/easy/rules.h: which rules the options of this build have (enum mote_rule), so that the compiler drops
 * the code of curl_easy_setopt() that only serves others.
 *
 * Without TLS its options are harmless, and are checked all the same.
 *
 * Tests: tests/unit/api/test_setopt.c, tests/unit/api/test_absent.c */
#ifndef MOTE_API_EASY_RULES_H
#define MOTE_API_EASY_RULES_H

#include <stdint.h>

#include "transfer/options/options.h"

/* A bit for each rule. */
#define HAVE(name, type, rule, part, identity, value) \
  | (uint64_t)(MOTE_HAS_##part || !MOTE_HAS_HTTPS) << MOTE_RULE_##rule
static const uint64_t mote_rules_built = 0
#include "transfer/options/option_rows.inc"
  ;

/* Reports whether it is this rule (without MOTE_RULE_), known to be false where no option has it. */
#define MOTE_RULE_IS(rule, name) ((mote_rules_built >> MOTE_RULE_##name & 1u) && (rule) == MOTE_RULE_##name)

#endif
