import type { Command } from '../../command/command.ts';
import { EXAMINE_COMMAND } from './examine.ts';
import { PROBE_COMMAND } from './probe.ts';

export const EXAMINE_COMMANDS: readonly Command[] = [EXAMINE_COMMAND, PROBE_COMMAND];
