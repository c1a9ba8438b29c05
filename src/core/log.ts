import { type DestinationStream, type Logger, pino } from 'pino';

import { logText } from './log-text.ts';
import { terminalJson } from './terminal-text.ts';

export type { Logger } from 'pino';

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

/**
 * A log on stderr (stdout is for the output of commands), with secrets replaced by `[redacted]`: lines of JSON, or of text for people.
 */
export function createLogger(level: string, destination: DestinationStream = process.stderr, format: 'json' | 'text' = 'json'): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Words of strangers are logged, and a log is read on a terminal.
      hooks: { streamWrite: format === 'text' ? logText : terminalJson },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    },
    destination,
  );
}
