/* divide.h: the division of device/libc. */
#ifndef PORT_TEST_DIVIDE_H
#define PORT_TEST_DIVIDE_H

/* How many of its answers are wrong. */
unsigned divide_wrong(void);

#endif
