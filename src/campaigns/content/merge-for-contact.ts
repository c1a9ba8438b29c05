import type { Caller } from '../../access/index.ts';
import { listCustomFields } from '../../contacts/index.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { contactValues, type MergeSource } from './merge-values.ts';
import { type Rendering, render } from './render.ts';

/**
 * Returns a function that merges HTML with the values of a contact, outside of a step. Placeholders for a sender or a sequence, such as
 * `unsubscribe_url`, are unknown there. The contact always gets the same text of a choice.
 */
export async function mergeForContact(db: Queryable, caller: Caller, contactId: number): Promise<(html: string) => Rendering> {
  const [contact] = await db.query<MergeSource>(sql`select name, email, company, custom_fields from contacts where id = ${contactId}`);
  const fields = await listCustomFields(db, caller);
  const values =
    contact === undefined
      ? {}
      : contactValues(
          contact,
          Array.from(fields, ({ key }) => key),
        );
  return (html) => render(html, values, { escape: 'html', spintax: true, seed: `${contactId}` });
}
