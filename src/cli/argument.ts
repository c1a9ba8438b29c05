import { invalid, notFound } from '../core/errors.ts';

/** Parses an id; undefined for anything but a positive integer. */
export const idIn = (text: string): number | undefined => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined);

/**
 * Parses the id in an argument. Throws `not_found` for anything else, as for an id that does not exist.
 * @param noun the kind of record: `webhook`
 */
export function idArgument(text: string, noun: string): number {
  const id = idIn(text);
  if (id === undefined) throw notFound(`${noun} "${text}"`);
  return id;
}

/**
 * Parses an id that a list command shows. Throws `invalid_request`, naming that command, for anything else.
 * @param what the record with its article: `a reply`
 * @param command the command that lists the ids, without `outreach`: `reply list`
 */
export function listedId(text: string, what: string, command: string): number {
  const id = idIn(text);
  if (id === undefined) throw invalid(`"${text}" is not the id of ${what}; outreach ${command} shows them`);
  return id;
}
