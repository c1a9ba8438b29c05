import type { Caller } from '../../access/index.ts';
import { listCustomFields } from '../../contacts/index.ts';
import type { Queryable } from '../../db/statement.ts';
import { emailValues } from './merge-values.ts';

const EMPTY_CONTACT = { name: '', email: '', company: null, custom_fields: {} };
const EMPTY_SENDER = { unsubscribe_url: '', postal_address: null };

/** Returns the keys that no email of the caller's workspace can be merged with. */
export async function unknownKeys(db: Queryable, caller: Caller, keys: readonly string[]): Promise<string[]> {
  const fields = await listCustomFields(db, caller);
  const known = emailValues(
    EMPTY_CONTACT,
    fields.map((field) => field.key),
    EMPTY_SENDER,
  );
  return keys.filter((key) => !Object.hasOwn(known, key));
}
