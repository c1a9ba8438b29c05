import { raw, type Sql, sql } from '../db/statement.ts';

/**
 * `reply`: written by a person who speaks for the contact. `colleague`: written by somebody else in their organisation.
 * `unsubscribe_request`: the author asks not to be emailed again. `auto_reply`: written by a program.
 */
export const REPLY_KINDS = ['reply', 'colleague', 'unsubscribe_request', 'auto_reply'] as const;
export type ReplyKind = (typeof REPLY_KINDS)[number];

/** The kinds listed by default: replies written by people. */
export const DEFAULT_KINDS: readonly ReplyKind[] = ['reply', 'colleague'];

/** Condition: reply `alias` was written by a person, not by a program. */
export const isByPerson = (alias: string): Sql => sql`${raw(alias)}.kind <> 'auto_reply'`;
