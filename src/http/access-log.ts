import { createRequire } from 'node:module';
import type { Logger } from 'pino';
import type { LogLevel } from '../config/settings.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';

const require = createRequire(import.meta.url);

/** What a line about one request says. */
export interface RequestLine {
  method: string;
  path: string;
  operation: string | null;
  status: number | null;
  ms: number;
  request: string;
  session: string;
  outcome: string | null;
}

/** The line about a call that is over. */
export function lineOf({ method, path, operation, answer, milliseconds, ...entry }: LoggedRequest): RequestLine {
  const { id: request, session, outcome } = entry;
  return { method, path, operation, status: answer?.status ?? null, ms: milliseconds, request, session, outcome };
}

export interface Log {
  request(line: RequestLine): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

export interface LogOptions {
  level: LogLevel;
  format: 'text' | 'json';
  quiet: boolean;
}

/** One structured line per request and event: JSON for programs, or the same in words for a terminal. */
export function createLog({ level, format, quiet }: LogOptions): Log {
  const least = quiet && level !== 'error' ? 'warn' : level;
  // The library takes a while to load; a quiet sandbox that has nothing to say never needs it.
  let logger: Logger | undefined;
  const open = () => (logger ??= format === 'json' ? jsonLogger(least) : textLogger(least));
  const isOn = (wanted: LogLevel) => LEVELS[wanted] >= LEVELS[least];
  return {
    request: (line) => isOn('info') && open().info({ ...line }, 'request'),
    info: (message) => isOn('info') && open().info(message),
    warn: (message) => isOn('warn') && open().warn(message),
    error: (message, error) => open().error(error instanceof Error ? { err: error } : {}, message),
  };
}

const LEVELS: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

function jsonLogger(level: LogLevel): Logger {
  const { pino }: typeof import('pino') = require('pino');
  return pino({ level, base: null });
}

function textLogger(level: LogLevel): Logger {
  const { pino }: typeof import('pino') = require('pino');
  const pretty: typeof import('pino-pretty') = require('pino-pretty');
  const stream = pretty({
    ignore: 'method,path,operation,status,ms,request,session,outcome',
    translateTime: 'SYS:HH:MM:ss.l',
    colorize: process.stdout.isTTY === true,
    messageFormat: (line, messageKey) =>
      line[messageKey] === 'request' ? requestText(line as unknown as RequestLine) : String(line[messageKey]),
  });
  return pino({ level, base: null }, stream);
}

function requestText({ method, path, operation, status, ms, request, session, outcome }: RequestLine): string {
  const where = session === 'default' ? '' : ` [${session}]`;
  return `${method} ${path}${where} ${operation ?? '-'} ${status ?? 'no answer'} ${ms}ms ${request}${outcome ? ` (${outcome})` : ''}`;
}
