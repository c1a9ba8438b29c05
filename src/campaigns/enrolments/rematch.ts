import type { App } from '../../app.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockCampaigns } from '../campaign/lock-campaigns.ts';
import { sequenceOf } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { isHeldForProvider } from '../states/enrolment.ts';
import { distributeUnsent, spreadOver } from './distribute.ts';

/** Maximum number of rotation groups per run. */
const MAX_GROUPS_PER_RUN = 1_000;

/** Redistributes the contacts of a locked rotation group who have been sent nothing yet, according to its changed `provider_match`. */
export async function redistribute(tx: Tx, app: App, members: readonly number[]): Promise<void> {
  const now = app.clock.now();
  await distributeUnsent(tx, members, await spreadOver(tx, members), now);
  for (const id of members) await wakeCampaign(tx, id, now);
}

/**
 * Redistributes a contact after a change of address, because the new address may be at another provider. Does so in each rotation group
 * that matches providers and has not emailed the contact yet. Index: enrolments_contact.
 */
export async function rematchContact(tx: Tx, app: App, contactId: number): Promise<void> {
  const groups = await tx.query<{ id: number }>(sql`
    select c.id from enrolments e join campaigns c on c.id = e.campaign_id and c.rotation_group_id is not null and c.provider_match <> 'off'
    where e.contact_id = ${contactId} and e.last_sent_step = 0 order by c.id`);
  for (const { id } of groups) await rematchGroup(tx, app, id, sql`e.contact_id = ${contactId}`);
}

/**
 * Releases contacts who are held for their provider if the provider is now known, or if an account of their group now sends from there.
 * Uses one transaction per rotation group. Index: enrolments_held.
 */
export async function rematchHeld(app: App): Promise<void> {
  const groups = await app.db.query<{ id: number }>(sql`
    select min(h.campaign_id) as id from (select distinct e.campaign_id from enrolments e where ${isHeldForProvider('e')}) h
    join campaigns c on c.id = h.campaign_id and c.deleted_at is null group by coalesce(c.rotation_group_id, c.id) order by 1 limit ${MAX_GROUPS_PER_RUN}`);
  for (const { id } of groups) await app.db.tx((tx) => rematchGroup(tx, app, id, isHeldForProvider('e')));
}

async function rematchGroup(tx: Tx, app: App, campaignId: number, only: Sql): Promise<void> {
  await lockCampaigns(tx, await sequenceOf(tx, campaignId));
  const members = await sequenceOf(tx, campaignId);
  const now = app.clock.now();
  await distributeUnsent(tx, members, await spreadOver(tx, members), now, only);
  for (const id of members) await wakeCampaign(tx, id, now);
}
