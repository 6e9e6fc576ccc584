/** For waits whose time limit is not what is tested: a busy machine does not meet it. */
export const LONG_WAIT = { timeout: 120_000 };
