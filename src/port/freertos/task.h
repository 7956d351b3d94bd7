/* port/freertos/task.h: whose lookup it is. */
#ifndef MOTE_PORT_FREERTOS_TASK_H
#define MOTE_PORT_FREERTOS_TASK_H

/* The calling task, as an identity. NULL for all where tasks cannot be distinguished, so that a wait also
 * ends for the lookup of another task. */
const void *mote_freertos_task(void);

#endif
