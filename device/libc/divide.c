/* divide.c: 64-bit division in 100 bytes of code; libgcc's takes 912.
 *
 * Arm's "Run-time ABI" (4.3.1) divides r0:r1 by r2:r3, with the quotient in r0:r1 and the rest in r2:r3. Each
 * turn makes one bit of the quotient, about 900 cycles in all, which is enough to divide times and print
 * numbers. Neither this nor libgcc's takes constant time. Division by 0 does not trap.
 * Tests: device/port-test */
__asm__(".syntax unified\n"
        ".thumb\n"
        ".section .text.__aeabi_uldivmod, \"ax\", %progbits\n"
        ".global __aeabi_uldivmod\n"
        ".type __aeabi_uldivmod, %function\n"
        "__aeabi_uldivmod:\n"
        "  push {r4, r5, r6, lr}\n"
        "  movs r4, #0\n" /* r4:r5: the rest so far */
        "  movs r5, #0\n"
        "  mov ip, #64\n"
        "0: adds r0, r0, r0\n"
        "  adcs r1, r1, r1\n"
        "  adcs r4, r4, r4\n"
        "  adcs r5, r5, r5\n" /* at most the dividend: there is no 65th bit */
        "  cmp r4, r2\n"
        "  sbcs r6, r5, r3\n"
        "  bcc 2f\n"
        "  subs r4, r4, r2\n"
        "  sbcs r5, r5, r3\n"
        "  adds r0, r0, #1\n"
        "2: subs ip, ip, #1\n"
        "  bne 0b\n"
        "  mov r2, r4\n"
        "  mov r3, r5\n"
        "  pop {r4, r5, r6, pc}\n"
        ".size __aeabi_uldivmod, . - __aeabi_uldivmod\n");

/* Towards 0; the rest has the dividend's sign. */
__asm__(".section .text.__aeabi_ldivmod, \"ax\", %progbits\n"
        ".global __aeabi_ldivmod\n"
        ".type __aeabi_ldivmod, %function\n"
        "__aeabi_ldivmod:\n"
        "  push {r4, r5, r6, lr}\n"
        "  eor r4, r1, r3\n"
        "  movs r5, r1\n"
        "  bpl 0f\n"
        "  negs r0, r0\n"
        "  sbc r1, r1, r1, lsl #1\n"
        "0: cmp r3, #0\n"
        "  bge 1f\n"
        "  negs r2, r2\n"
        "  sbc r3, r3, r3, lsl #1\n"
        "1: bl __aeabi_uldivmod\n"
        "  cmp r4, #0\n"
        "  bge 2f\n"
        "  negs r0, r0\n"
        "  sbc r1, r1, r1, lsl #1\n"
        "2: cmp r5, #0\n"
        "  bge 3f\n"
        "  negs r2, r2\n"
        "  sbc r3, r3, r3, lsl #1\n"
        "3: pop {r4, r5, r6, pc}\n"
        ".size __aeabi_ldivmod, . - __aeabi_ldivmod\n");
