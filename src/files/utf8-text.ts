import { invalid } from '../core/errors.ts';

/**
 * The text of a file in UTF-8, without a byte order mark. Throws `invalid_request` for another encoding: its letters would be replaced, and
 * nobody would see that before an email has them.
 */
export function utf8Text(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalid(`${file} is not in UTF-8; save it as UTF-8 first`, { cause: error });
  }
}
