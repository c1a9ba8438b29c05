import { createHash } from 'node:crypto';
import { HttpError } from './error-mapping.ts';

/** True for the methods that change or delete the resource at a path, which `If-Match` makes conditional (RFC 9110 §13.1.1). */
export const isConditional = (method: string): boolean => ['PATCH', 'PUT', 'DELETE'].includes(method);

/** Returns the entity tag of a body (RFC 9110 §8.8.3). */
export const entityTag = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

/** Returns the tag of the same body compressed with gzip, which is another representation; `If-Match` and `If-None-Match` take either. */
export const gzippedTag = (tag: string): string => tag.replace(/"$/, '-gzip"');

/** True if the header names the tag, or any tag with `*`. @param isWeak true to accept tags with `W/`, which only reads may use */
function names(header: string, tag: string, isWeak: boolean): boolean {
  const listed = header.split(',').map((entry) => entry.trim());
  return listed.some((entry) => entry === '*' || [tag, gzippedTag(tag)].includes(isWeak ? entry.replace(/^W\//, '') : entry));
}

/** True if the client has this body already, as its `If-None-Match` says. */
export const isFresh = (header: string | undefined, tag: string): boolean => header !== undefined && names(header, tag, true);

/** Throws 412 unless `If-Match` names the current body of the resource. */
export function requireMatch(header: string, body: string): void {
  if (!names(header, entityTag(body), false)) throw new HttpError(412, 'If-Match: the resource has changed since; read it again');
}
