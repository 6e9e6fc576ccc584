import { createRequire } from 'node:module';
import type { Logger } from 'pino';
import { printable, printableLines } from '../../base/text/printable.ts';
import { afterMilliseconds } from '../../base/timers.ts';
import type { LogLevel, Settings } from '../config/settings.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { LoggedCall } from '../sessions/request-log.ts';
import {
  type CallWithoutSession,
  type LogLine,
  lineOfCall,
  lineOfCallWithoutSession,
  lineOfEvent,
} from './log-lines.ts';

const require = createRequire(import.meta.url);

export interface Log {
  writeCall(call: LoggedCall): void;
  writeCallWithoutSession(call: CallWithoutSession): void;
  writeEvent(session: string, event: SessionEvent): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
  /** Resolves once all lines are written, or after a second if the output is blocked. */
  close(): Promise<void>;
}

/** With `quiet`, only the sandbox's own warnings and errors are logged, not calls and events. */
export type LogOptions = Pick<Settings, 'logLevel' | 'logFormat' | 'quiet' | 'printUrl'>;

/** Writes JSON for programs, or words for a terminal. */
export function createLog({ logLevel: level, logFormat: format, quiet, printUrl }: LogOptions): Log {
  // With `printUrl`, standard output contains only the address.
  const stream = printUrl ? process.stderr : process.stdout;
  const minLevel = quiet && level !== 'error' ? 'warn' : level;
  // Opened on first use, because the library takes a while to load, and a quiet sandbox may log nothing.
  let output: Output | undefined;
  const isOn = (lineLevel: LogLevel) => LEVELS[lineLevel] >= LEVELS[minLevel];
  const write = (lineLevel: LogLevel, message: string, fields: object = {}) => {
    if (isOn(lineLevel)) {
      output ??= openOutput(minLevel, format, stream);
      output.logger[lineLevel](fields, message);
    }
  };
  const writeLine = (line: LogLine) => {
    if (isOn(line.level) && format === 'json') {
      write(line.level, line.name, line.fields());
    } else if (isOn(line.level)) {
      write(line.level, printable(line.words()));
    }
  };
  return {
    writeCall: (call) => !quiet && writeLine(lineOfCall(call)),
    writeCallWithoutSession: (call) => !quiet && writeLine(lineOfCallWithoutSession(call)),
    writeEvent(session, event) {
      const line = quiet ? undefined : lineOfEvent(session, event);
      if (line) {
        writeLine(line);
      }
    },
    info: (message) => write('info', printableLines(message)),
    warn: (message) => write('warn', printableLines(message)),
    error(message, error) {
      const isError = error instanceof Error;
      if (format === 'json' || !isError) {
        write('error', printableLines(message), isError ? { err: error } : {});
      } else {
        write('error', printableLines(`${message}\n${error.stack ?? error.message}`));
      }
    },
    async close() {
      const open = output;
      output = undefined;
      await open?.close();
    },
  };
}

const LEVELS: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

interface Output {
  logger: Logger;
  close(): Promise<void>;
}

/** Lines beyond this are dropped, so that a blocked output cannot fill the memory. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
const MAX_WAIT_MS = 1000;

/** Writing does not wait for the stream's reader, which may be slow. */
function openOutput(level: LogLevel, format: Settings['logFormat'], stream: NodeJS.WriteStream): Output {
  const { pino }: typeof import('pino') = require('pino');
  // JSON does not escape every character that controls a terminal.
  const toOutput = format === 'json' ? printableLines : newTextFormatter(stream.isTTY === true);
  const write = (line: string) => {
    if (stream.writableLength < MAX_BUFFERED_BYTES) {
      stream.write(toOutput(line));
    }
  };
  return {
    logger: pino({ level, base: null }, { write }),
    close: () =>
      new Promise((resolve) => {
        const cancelTimeout = afterMilliseconds(MAX_WAIT_MS, resolve);
        stream.write('', () => {
          cancelTimeout();
          resolve();
        });
      }),
  };
}

function newTextFormatter(colorize: boolean): (line: string) => string {
  const { prettyFactory }: typeof import('pino-pretty') = require('pino-pretty');
  const prettify = prettyFactory({ translateTime: 'SYS:HH:MM:ss.l', colorize });
  return (line) => String(prettify(line));
}
