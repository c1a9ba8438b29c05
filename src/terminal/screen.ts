import { styleText } from 'node:util';
import { systemClock } from '../core/clock.ts';

/** The properties of the output that the layout of text depends on. */
export interface Screen {
  /** Columns of the terminal; null if the output is not a terminal, so that lines may have any length. */
  width: number | null;
  hasColors: boolean;
  /** True if times are printed exactly, and not as ages. */
  isExact: boolean;
  /** The zone in which exact times are printed; null for UTC. */
  timezone: string | null;
  now: Date;
}

/**
 * Returns the properties of stdout. On a terminal times are ages, unless a zone is given; elsewhere they are exact.
 * @param times `isUtc` for exact times in UTC; otherwise the zone for exact times
 */
export function screenOf({ isUtc = false, timezone = null }: { isUtc?: boolean; timezone?: string | null } = {}): Screen {
  const isTTY = process.stdout.isTTY ?? false;
  return {
    width: isTTY ? process.stdout.columns : null,
    hasColors: isTTY && process.stdout.hasColors(),
    isExact: isUtc || timezone !== null || !isTTY,
    timezone: isUtc ? null : timezone,
    now: systemClock.now(),
  };
}

/** Returns the same without colours, for text that is printed together with untrusted text and sanitized with it. */
export const plainScreen = (): Screen => ({ ...screenOf(), hasColors: false });

type Style = Parameters<typeof styleText>[0];

/** Returns the text in a colour or bold, if the screen has colours. */
export const paint = (text: string, style: Style | undefined, { hasColors }: Pick<Screen, 'hasColors'>): string =>
  hasColors && style !== undefined ? styleText(style, text, { validateStream: false }) : text;
