/**
 * Returns the reason why a program of PostgreSQL failed: the message of its last line that is marked as fatal or as an error. After that
 * line, initdb only reports what it removes, which is all that it says if it is interrupted. Undefined if there is no reason.
 */
export const lastWords = (said: string): string | undefined =>
  [...said.matchAll(/(?: (?:FATAL|PANIC)|^\w+: error): +(.+)/gm)].at(-1)?.[1] ??
  (said.startsWith('initdb: removing ') ? 'initdb was interrupted; run the command again' : undefined);
