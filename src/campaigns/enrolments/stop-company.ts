import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { isPublicDomain } from '../../contacts/index.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { COLLEAGUE_REPLIED, enrolmentIs } from '../states/enrolment.ts';
import type { Precedence } from './precedence.ts';
import { endEnrolments } from './transitions.ts';

/**
 * Stops all other contacts at the company of a contact who has replied, if the campaign has `stop_company` set: active enrolments in the
 * campaign or its rotation group whose addresses share the domain, unless that is a public one such as gmail.com. Also stops enrolments
 * that a weaker message of the poll has ended. A deleted contact's reply counts, too. Indexes: contacts_domain, enrolments_contact.
 * @returns the ids of the stopped enrolments
 */
export async function stopCompany(
  tx: Tx,
  app: App,
  caller: Caller,
  enrolmentId: number,
  message: Omit<Precedence, 'strength'>,
): Promise<number[]> {
  const precedence = { ...message, strength: 'stop' } as const;
  const [replied] = await tx.query<{ workspace_id: number; campaign_id: number; rotation_group_id: number | null; domain: string }>(sql`
    select e.workspace_id, e.campaign_id, c.rotation_group_id, address_domain(k.email) as domain
    from enrolments e join campaigns c on c.id = e.campaign_id join contacts k on k.id = e.contact_id
    where e.id = ${enrolmentId} and c.stop_company`);
  if (replied === undefined || isPublicDomain(replied.domain)) return [];
  const others = await tx.query<{ id: number }>(sql`
    select e.id from contacts k join enrolments e on e.contact_id = k.id and e.id <> ${enrolmentId}
      and (${enrolmentIs('e', 'active')} or e.id = any(${message.ends.weakerThan(precedence.strength)}::int[]))
    join campaigns c on c.id = e.campaign_id
    where k.workspace_id = ${replied.workspace_id} and k.deleted_at is null and address_domain(k.email) = ${replied.domain}
      and (c.id = ${replied.campaign_id} or c.rotation_group_id = ${replied.rotation_group_id})`);
  return endEnrolments(
    tx,
    app,
    caller,
    others.map(({ id }) => id),
    { status: 'stopped', reason: COLLEAGUE_REPLIED, precedence },
  );
}
