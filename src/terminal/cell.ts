import { grouped } from '../core/english.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { columnOf, isState } from './column.ts';
import { relative, span } from './format.ts';
import { localText } from './local-text.ts';
import type { Screen } from './screen.ts';
import { stateText } from './states.ts';
import { plainWidth } from './text-width.ts';
import { daysText } from './window-text.ts';

const WIRE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
/** Fields whose values are words of the API, with underscores instead of spaces. */
const WORDS = /(_reason|^label|^reason)$/;

/** Numbers that identify something, and are written without separators. */
const NAMES = /(^|_)(id|uid|pid|port|code|order)$/;

/** The text of a cell without a value. */
export const EMPTY = '-';

/** Formats a value for a cell of a table: without JSON, a state with its sign, a time as an age or in the screen's zone. */
export function cellText(name: string, value: unknown, screen: Screen): string {
  if (value === null || value === undefined || value === '') return EMPTY;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numberText(name, value);
  if (typeof value !== 'string') return plainWidth(terminalLine(objectText(name, value)));
  if (columnOf(name).isTime && WIRE_TIME.test(value)) return timeText(value, screen);
  if (isState(name)) return screen.width === null ? terminalLine(value) : stateText(terminalLine(value));
  return plainWidth(terminalLine(WORDS.test(name) ? value.replaceAll('_', ' ') : value));
}

/** Formats a time of the API, which is UTC, as the screen shows times. */
function timeText(wire: string, { isExact, timezone, now }: Screen): string {
  if (!isExact) return relative(wire, formatTimestamp(now));
  return timezone === null ? wire : localText(wire, timezone).slice(0, 'YYYY-MM-DD HH:MM'.length);
}

function numberText(name: string, value: number): string {
  if (name.endsWith('_rate')) return `${(100 * value).toFixed(1)}%`;
  if (name === 'every_seconds') return span(value);
  if (NAMES.test(name)) return String(value);
  return Number.isInteger(value) ? grouped(value) : value.toLocaleString('en-GB');
}

/** Formats lists and objects in words: `acme, us`, `city: Berlin`. A file is shown by its name. */
function objectText(name: string, value: unknown): string {
  if (name === 'sending_days') return daysText(value as number[]);
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((item) => objectText('', item)).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '-');
  if ('sha256' in value && 'name' in value) return String(value.name);
  const entries = Object.entries(value);
  return entries.length === 0 ? '-' : entries.map(([key, item]) => `${key.replaceAll('_', ' ')}: ${changeText(item)}`).join(', ');
}

/** Formats a value of an object. A change shows the old and the new value. */
function changeText(value: unknown): string {
  if (Array.isArray(value) && value.length === 2) return `${objectText('', value[0])} → ${objectText('', value[1])}`;
  return objectText('', value);
}
