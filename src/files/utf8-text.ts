import { invalid } from '../core/errors.ts';

/**
 * Decodes a file in UTF-8, without its byte order mark. Throws `invalid_request` for another encoding: its letters would be replaced, and
 * the user would not notice before emails contain them.
 */
export function utf8Text(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalid(`${file} is not in UTF-8; save it as UTF-8 first`, { cause: error });
  }
}
