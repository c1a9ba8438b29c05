import { raw, type Sql, sql } from '../db/statement.ts';

/** The address that replaces that of an erased contact `alias` (RFC 2606 §2: `.invalid` never exists). */
export const erasedAddress = (alias: string): Sql => sql`'erased-' || ${raw(alias)}.id || '@erased.invalid'`;
