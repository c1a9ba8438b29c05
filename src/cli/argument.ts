import { invalid, notFound } from '../core/errors.ts';

/** The id that a text is; undefined for anything but a positive integer. */
export const idIn = (text: string): number | undefined => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined);

/** The id in an argument. Throws `not_found`, as for an id that does not exist, for anything else. @param noun of the record: `webhook` */
export function idArgument(text: string, noun: string): number {
  const id = idIn(text);
  if (id === undefined) throw notFound(`${noun} "${text}"`);
  return id;
}

/**
 * The id in an argument that a list shows. Throws `invalid_request`, naming the list, for anything else.
 * @param what the record with its article: `a reply`
 * @param command the command that lists the ids, without `outreach`: `reply list`
 */
export function listedId(text: string, what: string, command: string): number {
  const id = idIn(text);
  if (id === undefined) throw invalid(`"${text}" is not the id of ${what}; outreach ${command} shows them`);
  return id;
}
