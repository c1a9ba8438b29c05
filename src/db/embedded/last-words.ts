/**
 * Why a program of PostgreSQL failed, in its own words: the last line that calls itself fatal or an error. After it, initdb tells only what it
 * removes. Undefined if there is none.
 */
export const lastWords = (said: string): string | undefined => [...said.matchAll(/(?: (?:FATAL|PANIC)|^\w+: error): +(.+)/gm)].at(-1)?.[1];
