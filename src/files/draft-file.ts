import { randomBytes } from 'node:crypto';

/**
 * Returns a path beside a file for its new content, until that is complete and can replace the file. The path can't be guessed. Open it
 * exclusively (`wx`), so that a file or link that another user has put there is never written to.
 */
export const draftOf = (path: string): string => `${path}.part-${randomBytes(9).toString('base64url')}`;
