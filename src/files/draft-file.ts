import { randomBytes } from 'node:crypto';

/**
 * A path beside a file for its new content, until that is whole and can replace it. Nobody can guess it; open it exclusively (`wx`),
 * so that a file or link that somebody has put there is never written to.
 */
export const draftOf = (path: string): string => `${path}.part-${randomBytes(9).toString('base64url')}`;
