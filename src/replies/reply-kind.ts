import { raw, type Sql, sql } from '../db/statement.ts';

/**
 * `reply`: a person answers for the contact. `colleague`: somebody else of their organisation writes. `unsubscribe_request`: the author
 * asks not to be emailed again. `auto_reply`: a program answered.
 */
export const REPLY_KINDS = ['reply', 'colleague', 'unsubscribe_request', 'auto_reply'] as const;
export type ReplyKind = (typeof REPLY_KINDS)[number];

/** The kinds that a list shows unless one is asked for: what people wrote. */
export const DEFAULT_KINDS: readonly ReplyKind[] = ['reply', 'colleague'];

/** Condition: reply `alias` was written by a person, and not by a program. */
export const isByPerson = (alias: string): Sql => sql`${raw(alias)}.kind <> 'auto_reply'`;
