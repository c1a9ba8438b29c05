import { invalid } from '../../core/errors.ts';

/** The id in an argument. Throws `invalid_request` for anything else. */
export function entryId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw invalid(`"${text}" is not the id of an entry; outreach history shows them`);
}
