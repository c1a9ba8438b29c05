import type { App } from '../app.ts';
import { isLiveContact } from '../contacts/index.ts';
import { quantity } from '../core/english.ts';
import { sql } from '../db/statement.ts';
import { type Finding, ok, warn } from './finding.ts';

interface Shared {
  workspace_id: number;
  contacts: { id: number; email: string }[];
  total: number;
}

/**
 * Checks that no two contacts of a workspace share a mailbox, such as ann@ and ann+news@. A campaign with both would email the same person
 * twice.
 */
export async function checkMailboxes(app: App): Promise<Finding> {
  const check = 'contacts';
  const [shared] = await app.db.query<Shared>(sql`
    select c.workspace_id, json_agg(json_build_object('id', c.id, 'email', c.email) order by c.id) as contacts, (count(*) over ())::int as total
    from contacts c where ${isLiveContact('c')} group by c.workspace_id, mailbox_key(c.email) having count(*) > 1
    order by c.workspace_id, min(c.id) limit 1`);
  const [first, second] = shared?.contacts ?? [];
  if (shared === undefined || first === undefined || second === undefined) return ok(check, 'each has a mailbox of its own');
  return warn(
    check,
    `${quantity(shared.total, 'mailbox', 'mailboxes')} with more than one contact, for example ${first.email} and ${second.email}; to make ` +
      `them one, run: outreach contact merge ${first.id} ${second.id} --workspace ${shared.workspace_id}`,
  );
}
