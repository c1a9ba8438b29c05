import { createRequire } from 'node:module';
import type { DestinationStream, Logger } from 'pino';
import { logText } from './log-text.ts';
import { terminalJson } from './terminal-text.ts';

export type { Logger } from 'pino';

/** Loads pino on first use: loading it takes a tenth of the time of a command that logs nothing. */
const loadPino = () => createRequire(import.meta.url)('pino') as typeof import('pino');

/** Fields that are redacted in a logged object, at its top level and up to two levels deeper. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'pass',
  'access_token',
  'refresh_token',
  'client_secret',
  'secret',
  'api_key',
  'key',
  'smtp_secret',
  'imap_secret',
  'databaseUrl',
  'databaseDirectUrl',
  'mongodbUrl',
  'secretKey',
];

/** `auto` is text on a terminal, and JSON otherwise. */
type LogFormat = 'auto' | 'json' | 'text';

const isText = (format: LogFormat): boolean => format === 'text' || (format === 'auto' && process.stderr.isTTY === true);

/** Creates a log on stderr (stdout is for the output of commands), as lines of JSON or of text for people. Secrets become `[redacted]`. */
export function createLogger(level: string, destination: DestinationStream = process.stderr, format: LogFormat = 'json'): Logger {
  const { pino } = loadPino();
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Logs contain text from strangers, and people read them on a terminal.
      hooks: { streamWrite: isText(format) ? logText : terminalJson },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    },
    destination,
  );
}

/** Returns a log that is created on first use. For commands, which print their own result. */
export function lazyLogger(...options: Parameters<typeof createLogger>): Logger {
  let log: Logger | undefined;
  return new Proxy({} as Logger, {
    get(_, name) {
      log ??= createLogger(...options);
      const value = Reflect.get(log, name);
      return typeof value === 'function' ? value.bind(log) : value;
    },
  });
}
