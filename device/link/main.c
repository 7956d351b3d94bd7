/* Calls nothing: the linker keeps every function of the interface all the same (device/images.py), so that none of
 * them needs what is not there. The image is not booted. */
int main(void)
{
  return 0;
}
