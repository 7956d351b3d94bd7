/* board.h: QEMU's mps2-an385 (Cortex-M3, 25 MHz, LAN9118), what an image may ask of it.
 *
 * The image's int main(void) is called with memory set up and the clock running; what it returns is the exit
 * status of the emulator. Under FreeRTOS it is a task. Nothing is allocated. */
#ifndef MOTE_BOARD_H
#define MOTE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prints on the emulator's console. */
void board_print(const char *text);
void board_print_number(uint32_t number);
_Noreturn void board_exit(int status);
/* The arguments of the image (-semihosting-config arg=...), NUL-terminated; "" when they do not fit. */
void board_arguments(char *out, size_t cap);

/* Brings up link, address and name servers, fixed or by DHCP (-DMOTE_LWIP_DHCP). Call it once. False: not
 * within ms. */
bool board_network_up(uint32_t ms);

/* Lets ms pass; the network goes on. */
void board_pause(uint32_t ms);

/* Resets the chip. What is BOARD_RETAINED keeps its value, as memory of a chip does that is powered in deep sleep;
 * when the power comes on it is 0. */
_Noreturn void board_restart(void);
#define BOARD_RETAINED __attribute__((section(".retained")))

/* Fixed addresses, those of the emulator's network, as arguments of a macro. */
#define BOARD_ADDRESS(of) of(10, 0, 2, 15)
#define BOARD_MASK(of) of(255, 255, 255, 0)
#define BOARD_GATEWAY(of) of(10, 0, 2, 2)
#ifdef BOARD_NAMES_AT_GATEWAY /* for tests, with DNS_SERVER_PORT */
#define BOARD_NAME_SERVER BOARD_GATEWAY
#else
#define BOARD_NAME_SERVER(of) of(10, 0, 2, 3)
#endif

/* Unix time in seconds. */
int64_t board_wall(void);
/* False: no random bytes are available. */
bool board_random(void *p, size_t n);

/* Peak use of main()'s stack, in bytes. */
size_t board_stack_used(void);

/* bare/ and freertos/: the chip has received a frame. */
#define BOARD_ETHERNET_IRQ 13
void board_ethernet_interrupt(void);

#endif
