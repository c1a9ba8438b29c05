import { raw, type Sql, sql } from '../db/statement.ts';

/** The address that an erased contact `alias` has instead of its own (RFC 2606 §2: `.invalid` never exists). */
export const erasedAddress = (alias: string): Sql => sql`'erased-' || ${raw(alias)}.id || '@erased.invalid'`;
