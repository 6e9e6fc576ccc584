/** For waits whose time limit is not tested, because a busy machine would exceed the default. */
export const LONG_WAIT = { timeout: 120_000 };
