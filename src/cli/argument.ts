import { notFound } from '../core/errors.ts';

/** The id in an argument. Throws `not_found`, as for an id that does not exist, when it is not a positive integer. */
export function idArgument(text: string, noun: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw notFound(`${noun} "${text}"`);
  return Number(text);
}
