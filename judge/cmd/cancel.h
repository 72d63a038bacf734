/* Signals that end a run early: they set the one CancelToken of the process, and the journey cleans up after itself. */
#ifndef GAVEL_CMD_CANCEL_H
#define GAVEL_CMD_CANCEL_H

#include "gavel/judge.h"

/* Installs the handlers and returns the token they set. */
const CancelToken *cancel_install(void);

/* `code`, or 128 + the signal's number if a signal cancelled the run; says so on standard error. */
int cancel_exit_code(int code);

#endif
