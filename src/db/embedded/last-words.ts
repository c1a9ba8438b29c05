/**
 * Returns the reason why a program of PostgreSQL failed: the message of its last line that is marked as fatal or as an error. After that
 * line, initdb only reports what it removes. Undefined if there is no such line.
 */
export const lastWords = (said: string): string | undefined => [...said.matchAll(/(?: (?:FATAL|PANIC)|^\w+: error): +(.+)/gm)].at(-1)?.[1];
