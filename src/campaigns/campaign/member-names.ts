import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

const MAX_NAME = 255;

/** Returns the name of a campaign of a rotation group that is a copy for an account. */
const copyName = (name: string, email: string): string => `${name} (${email})`.slice(0, MAX_NAME);

/**
 * Returns the names of all campaigns of a rotation group after one of them is renamed. The first gets the new name; each copy gets the new
 * name followed by the address of its account, as when the group was made. Indexes: campaigns_pkey, accounts_pkey.
 * @param name the new name of `renamed`, which gets it as given; if it ends with the address of that campaign's account, the other names
 * omit that ending
 * @returns the name of each campaign by its id
 */
export async function memberNames(tx: Tx, ids: readonly number[], renamed: number, name: string): Promise<Map<number, string>> {
  const members = await tx.query<{ id: number; email: string }>(sql`
    select c.id, a.email from campaigns c join accounts a on a.id = c.account_id where c.id = any(${ids}::int[]) order by c.id`);
  const own = copyName('', members.find((member) => member.id === renamed)?.email ?? '');
  const common = name.endsWith(own) ? name.slice(0, -own.length) : name;
  return new Map(members.map(({ id, email }, index) => [id, id === renamed ? name : index === 0 ? common : copyName(common, email)]));
}
