import type { Hours } from './window.ts';

/** Hours as people and files write them: `9-17`, `22-6`. The first is from 0 to 23, the second from 1 to 24, and they differ. */
export const HOURS = {
  pattern: /^(\d|1\d|2[0-3])-([1-9]|1\d|2[0-4])$/,
  documented: String.raw`^(?!([0-9]{1,2})-\1$)(?:[0-9]|1[0-9]|2[0-3])-(?:[1-9]|1[0-9]|2[0-4])$`,
  fault: 'must be hours such as 9-17, from 0-24',
};

/** Parses a text that matches the pattern of `HOURS`. */
export function hoursOf(text: string): Hours {
  const [startHour = 0, endHour = 24] = text.split('-').map(Number);
  return { startHour, endHour };
}

/** Formats hours in the notation of `HOURS`. */
export const hoursText = ({ startHour, endHour }: Hours): string => `${startHour}-${endHour}`;
