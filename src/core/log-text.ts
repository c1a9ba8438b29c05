import { terminalLine, terminalText } from './terminal-text.ts';

interface LogLine {
  time: string;
  level: string;
  msg?: string;
  err?: { message?: string; stack?: string };
  [field: string]: unknown;
}

/**
 * Formats a log line for people: time, level, message, then the fields as `name=value`. The stack of an error follows, indented.
 * @param json the line as JSON, with its line feed
 */
export function logText(json: string): string {
  const { time, level, msg = '', err, ...fields } = JSON.parse(json) as LogLine;
  const words = Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`);
  if (err?.message !== undefined) words.push(`err=${fieldText(err.message)}`);
  const stack = err?.stack === undefined ? '' : `${terminalText(err.stack).trim().replaceAll(/^\s*/gm, '    ')}\n`;
  return `${[time, level.toUpperCase().padEnd(5), terminalLine(msg), ...words].join(' ')}\n${stack}`;
}

/** Returns a single word unchanged, and any other value as JSON, which is on one line. */
function fieldText(value: unknown): string {
  const isWord = typeof value !== 'object' && /^[^\s"=]+$/.test(String(value));
  return terminalLine(isWord ? String(value) : JSON.stringify(value));
}
