import type { Command } from '../../command/command.ts';
import { DRIFT_COMMAND } from './drift-command.ts';
import { RECORD_COMMAND } from './record-command.ts';

export const RECORDING_COMMANDS: readonly Command[] = [RECORD_COMMAND, DRIFT_COMMAND];
