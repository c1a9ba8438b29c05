import { styleText } from 'node:util';
import { systemClock } from '../core/clock.ts';

/** Where text is printed, as far as its layout depends on it. */
export interface Screen {
  /** Columns of the terminal; null where the output is no terminal, and every line may be as long as it is. */
  width: number | null;
  hasColors: boolean;
  /** Times are printed as they are, and not as ages. */
  isExact: boolean;
  /** The zone in which exact times are printed; null for UTC. */
  timezone: string | null;
  now: Date;
}

/**
 * The kind of stdout. At a terminal times are ages, unless a zone is named, and elsewhere exact.
 * @param times `isUtc` for exact times in UTC everywhere; the zone of what is listed
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

/** The same without colours: for text that is printed with what strangers wrote, and cleaned with it. */
export const plainScreen = (): Screen => ({ ...screenOf(), hasColors: false });

type Style = Parameters<typeof styleText>[0];

/** The text in a colour or bold, where the screen has colours. */
export const paint = (text: string, style: Style | undefined, { hasColors }: Pick<Screen, 'hasColors'>): string =>
  hasColors && style !== undefined ? styleText(style, text, { validateStream: false }) : text;
