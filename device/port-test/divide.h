/* divide.h: the division of device/libc. */
#ifndef PORT_TEST_DIVIDE_H
#define PORT_TEST_DIVIDE_H

/* Returns the number of wrong results. */
unsigned divide_wrong(void);

#endif
