/* Calls nothing, but the linker keeps every function of the interface (tools/devices/links.py) and so finds
 * what any of them lacks. The image is not booted. */
int main(void)
{
  return 0;
}
