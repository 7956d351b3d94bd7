/* Tests of tool/system/windows_name.c. They run on every system.
 * needs: src/tool/system/windows_name.c */
#include "tool_test.h"

#include "tool/system/windows_name.h"

/* The name that is made of a text, as long as the next call. */
static const char *safe(const char *text)
{
  static char kept[256];
  char *name = mote_cli_windows_safe_name(mote_cli_strdup(text));
  snprintf(kept, sizeof kept, "%s", name ? name : "(none)");
  mote_cli_free(name);
  return kept;
}

TEST(a_name_stays)
{
  CHECK_STR(safe("file.txt"), "file.txt");
  CHECK_STR(safe("a b.c d"), "a b.c d");
  CHECK_STR(safe(".hidden"), ".hidden");
  CHECK_STR(safe("a%5Cb"), "a%5Cb");
  CHECK_STR(safe("gr\xc3\xbc\xc3\x9f" "e \xe6\x97\xa5 \xf0\x9f\x8c\x8d"),
            "gr\xc3\xbc\xc3\x9f" "e \xe6\x97\xa5 \xf0\x9f\x8c\x8d");
}

TEST(no_folder_drive_or_stream)
{
  CHECK_STR(safe("..\\..\\start.bat"), ".._.._start.bat");
  CHECK_STR(safe("a/b"), "a_b");
  CHECK_STR(safe("C:start.bat"), "C_start.bat");
  CHECK_STR(safe("readme.txt:hidden.exe"), "readme.txt_hidden.exe");
  CHECK_STR(safe("readme.txt::$DATA"), "readme.txt__$DATA");
}

TEST(no_character_with_a_meaning)
{
  CHECK_STR(safe("<a>|b?*\"c\""), "_a__b___c_");
  CHECK_STR(safe("a\x01\x1f\x7f\nb"), "a____b");
}

TEST(no_end_that_the_system_drops)
{
  CHECK_STR(safe("a."), "a");
  CHECK_STR(safe("a.exe. . "), "a.exe");
  CHECK_STR(safe(""), "_");
  CHECK_STR(safe(".."), "_");
  CHECK_STR(safe(" . "), "_");
}

TEST(no_device)
{
  static const char *const devices[] = {
    "CON", "con", "Prn", "AUX", "nul", "COM1", "com9", "LPT1", "lpt0", "CONIN$", "conout$", "CLOCK$",
    "nul.txt", "NUL.tar.gz", "CON .txt", "aux  ..x", "COM\xc2\xb9", "lpt\xc2\xb3.log"
  };
  for(size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "_%s", devices[i]);
    CHECK_STR(safe(devices[i]), wanted);
  }
  CHECK_STR(safe("CON."), "_CON");
  CHECK_STR(safe("nul "), "_nul");
  CHECK_STR(safe("NUL:"), "NUL_");
  CHECK_STR(safe("CONSOLE"), "CONSOLE");
  CHECK_STR(safe("COM"), "COM");
  CHECK_STR(safe("COM10"), "COM10");
  CHECK_STR(safe("xnul.txt"), "xnul.txt");
  CHECK_STR(safe("file.nul"), "file.nul");
}

TEST(bytes_that_are_no_utf8)
{
  CHECK_STR(safe("gr\xfc\xdf" "e"), "gr__e");
  CHECK_STR(safe("a\xc3"), "a_");
  CHECK_STR(safe("\xc0\xaf"), "__");         /* a slash, written too long */
  CHECK_STR(safe("\xe0\x80\xaf"), "___");
  CHECK_STR(safe("\xed\xa0\x80"), "___");    /* half of a character of UTF-16 */
  CHECK_STR(safe("\xf4\x90\x80\x80"), "____");
  CHECK_STR(safe("\xf0\x8f\xbf\xbf"), "____");
  CHECK_STR(safe("\xf8" "b"), "_b");
}

TEST(last_part_of_a_path)
{
  CHECK_STR(mote_cli_windows_base_name("C:\\folder\\a.txt"), "a.txt");
  CHECK_STR(mote_cli_windows_base_name("folder/sub\\a.txt"), "a.txt");
  CHECK_STR(mote_cli_windows_base_name("C:a.txt"), "a.txt");
  CHECK_STR(mote_cli_windows_base_name("a.txt"), "a.txt");
  CHECK_STR(mote_cli_windows_base_name("folder\\"), "");
  CHECK_STR(mote_cli_windows_base_name("\\\\server\\share\\a:b"), "a:b");
  CHECK(mote_cli_windows_is_slash('/') && mote_cli_windows_is_slash('\\') && !mote_cli_windows_is_slash(':'));
}

static void scenario(void)
{
  char *name = mote_cli_strdup("nul");
  if(name)
    mote_cli_free(mote_cli_windows_safe_name(name));
}

TEST(out_of_memory)
{
  run_cli_failures(scenario);
}

int main(void)
{
  TEST_RUN(a_name_stays);
  TEST_RUN(no_folder_drive_or_stream);
  TEST_RUN(no_character_with_a_meaning);
  TEST_RUN(no_end_that_the_system_drops);
  TEST_RUN(no_device);
  TEST_RUN(bytes_that_are_no_utf8);
  TEST_RUN(last_part_of_a_path);
  TEST_RUN(out_of_memory);
  return test_end();
}
