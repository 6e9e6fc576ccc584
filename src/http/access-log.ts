import { createRequire } from 'node:module';
import type { Logger } from 'pino';
import type { LogLevel } from '../config/settings.ts';
import { printable, printableLines } from '../printable.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import { type LogLine, lineOfCall, lineOfEvent } from './log-lines.ts';

const require = createRequire(import.meta.url);

export interface Log {
  /** A call of the merchant API that is over. */
  call(entry: LoggedRequest): void;
  /** Something that happened in a session. */
  event(session: string, event: SessionEvent): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

export interface LogOptions {
  level: LogLevel;
  format: 'text' | 'json';
  /** Nothing about calls and events, and of the sandbox itself only what has gone wrong. */
  quiet: boolean;
}

/** One structured line for each call and event: JSON for programs, or the same in words for a terminal. */
export function createLog({ level, format, quiet }: LogOptions): Log {
  const least = quiet && level !== 'error' ? 'warn' : level;
  // The library takes a while to load; a quiet sandbox that has nothing to say never needs it.
  let logger: Logger | undefined;
  const isOn = (wanted: LogLevel) => LEVELS[wanted] >= LEVELS[least];
  const write = (wanted: LogLevel, message: string, fields: object = {}) => {
    if (isOn(wanted)) {
      logger ??= format === 'json' ? jsonLogger(least) : textLogger(least);
      logger[wanted](fields, message);
    }
  };
  const writeLine = (line: LogLine) =>
    format === 'json' ? write(line.level, line.name, line.fields) : write(line.level, printable(line.words()));
  return {
    call: (entry) => !quiet && writeLine(lineOfCall(entry)),
    event(session, event) {
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
  };
}

const LEVELS: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

function jsonLogger(level: LogLevel): Logger {
  const { pino }: typeof import('pino') = require('pino');
  // JSON leaves some characters as they are that act in a terminal.
  const output = pino.destination(1);
  return pino({ level, base: null }, { write: (line) => output.write(printableLines(line)) });
}

function textLogger(level: LogLevel): Logger {
  const { pino }: typeof import('pino') = require('pino');
  const pretty: typeof import('pino-pretty') = require('pino-pretty');
  const stream = pretty({ translateTime: 'SYS:HH:MM:ss.l', colorize: process.stdout.isTTY === true });
  return pino({ level, base: null }, stream);
}
