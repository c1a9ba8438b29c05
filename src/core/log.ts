import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Fields that never reach a log, wherever in a logged object they stand (one and two levels deep). */
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
  'mongodbUrl',
  'secretKey',
];

/** JSON lines on stderr (stdout belongs to what a command prints), secrets replaced by `[redacted]`. */
export function createLogger(level: string, destination: DestinationStream = process.stderr): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    },
    destination,
  );
}
