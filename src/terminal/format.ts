import { grouped } from '../core/english.ts';
import { parseTimestamp } from '../core/timestamp-text.ts';

/** Formats a wire time as `14:05:09`; on another day with the date before it, `07-08 14:05`. */
export function clockTime(wire: string | null, now: string): string {
  if (wire === null) return '–';
  return wire.slice(0, 10) === now.slice(0, 10) ? wire.slice(11) : wire.slice(5, 16);
}

/** Formats a duration in its largest unit: `45 s`, `3 min`, `2 h`, `5 d`. */
export function span(seconds: number): string {
  const magnitude = Math.abs(seconds);
  if (magnitude < 60) return `${Math.round(magnitude)} s`;
  if (magnitude < 3_600) return `${Math.round(magnitude / 60)} min`;
  if (magnitude < 86_400) return `${Math.round(magnitude / 3_600)} h`;
  return `${Math.round(magnitude / 86_400)} d`;
}

/** Formats a wire time relative to another: `in 5 min`, `5 min ago`, `now`. */
export function relative(wire: string | null, now: string): string {
  if (wire === null || now === '') return '–';
  const seconds = (parseTimestamp(wire).getTime() - parseTimestamp(now).getTime()) / 1_000;
  if (Math.abs(seconds) < 1) return 'now';
  return seconds > 0 ? `in ${span(seconds)}` : `${span(seconds)} ago`;
}

/** Formats a part of a whole as `12%`; as a dash if the whole is 0. */
export const percentOf = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`);

/** Formats a number as `1,234`; from a million as `1.2M`. */
export const count = (number: number): string => (number < 1_000_000 ? grouped(number) : `${(number / 1_000_000).toFixed(1)}M`);

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Returns a progress bar of `width` columns, with a resolution of an eighth of a column. */
export function bar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  const filled = '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  return filled.padEnd(width, '░');
}

const HEIGHTS = '▁▂▃▄▅▆▇█';

/** Draws numbers as a chart on one line. Each is a bar as high as its share of the largest; 0 is a dot. */
export function sparkline(numbers: readonly number[]): string {
  const largest = Math.max(0, ...numbers);
  const height = (number: number) => HEIGHTS[Math.ceil((number / largest) * HEIGHTS.length) - 1] ?? '·';
  return numbers.map((number) => (number > 0 ? height(number) : '·')).join('');
}
