import { type AuditEntry, auditAll, inNameOf, visibleIds } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockCampaigns } from '../campaign/lock-campaigns.ts';
import { sequenceOf } from '../campaign/sequence.ts';
import { endSourceEnrolments } from './end-source-enrolments.ts';
import { enrolAutomatically } from './enrol.ts';
import { PENDING_BATCH_SIZE, type Pending, takePending } from './pending.ts';
import { type Rule, rulesOf } from './pending-rules.ts';
import type { SkipReason } from './skipped.ts';

/** Reason why a contact was not enrolled, as it appears in the contact's history. */
type Reason =
  | SkipReason
  | 'campaign_archived'
  | 'campaign_deleted'
  | 'campaign_not_found'
  | 'rule_changed'
  | 'replied'
  | 'in_other_subsequence';

interface Skip {
  contact_id: number;
  reason: Reason;
}

/**
 * Enrols the contacts who are waiting to enter a campaign, as `enrolAutomatically` does and in the name of the user who set the rule, until
 * none is due or the daemon drains. Contacts are taken and enrolled in one transaction, so that a crash loses no contact and two daemons
 * never enrol a contact twice. The reason for skipping a contact is recorded in the contact's history.
 */
export async function enrolPending(app: App, campaignId: number, draining: AbortSignal): Promise<void> {
  for (let taken = PENDING_BATCH_SIZE; taken >= PENDING_BATCH_SIZE && !draining.aborted; )
    taken = await app.db.tx((tx) => enrolChunk(tx, app, campaignId));
}

/** @returns the number of contacts taken */
async function enrolChunk(tx: Tx, app: App, campaignId: number): Promise<number> {
  const taken = await takePending(tx, campaignId, app.clock.now());
  const sources = taken.flatMap(({ source_id }) => source_id ?? []);
  // Enrolments are locked before campaigns, as everywhere.
  const from = await tx.query<{ campaign_id: number }>(sql`
    select e.campaign_id from enrolments e where e.id = any(${sources}::int[]) order by e.id for no key update`);
  const sequence = await sequenceOf(tx, campaignId);
  await lockCampaigns(tx, [...new Set([...sequence, ...from.map(({ campaign_id }) => campaign_id)])]);
  for (const rule of await rulesOf(tx, campaignId, taken)) await enrolBy(tx, app, campaignId, rule);
  return taken.length;
}

async function enrolBy(tx: Tx, app: App, campaignId: number, rule: Rule): Promise<void> {
  const caller = await inNameOf(tx, rule.workspaceId, rule.setBy);
  const note = (skips: readonly Skip[]) => auditAll(tx, caller, app.clock.now(), skips.map(entryOf(campaignId, rule)));
  const isVisible = (await visibleIds(tx, caller, 'campaigns', [campaignId])).has(campaignId);
  const closed = rule.closed ?? (isVisible ? undefined : 'campaign_not_found');
  if (closed !== undefined) return note(rule.pending.map(({ contact_id }) => ({ contact_id, reason: closed })));
  await note([...rule.barred].map(([{ contact_id }, reason]) => ({ contact_id, reason })));
  const pending = [...new Map(rule.pending.filter((one) => !rule.barred.has(one)).map((one) => [one.contact_id, one])).values()];
  if (pending.length === 0) return;
  const contactIds = pending.map(({ contact_id }) => contact_id);
  const { skipped } = await enrolAutomatically(tx, app, caller, campaignId, { contactIds, because: rule.because, from: rule.from });
  await note(skipped);
  const left = new Set(skipped.map(({ contact_id }) => contact_id));
  await endSourceEnrolments(
    tx,
    app,
    caller,
    campaignId,
    pending.filter(hasSource).filter(({ contact_id }) => !left.has(contact_id)),
  );
}

const hasSource = (one: Pending): one is Pending & { source_id: number } => one.source_id !== null;

/** Builds the history entry of a contact who was not enrolled. */
const entryOf =
  (campaignId: number, { because }: Rule) =>
  ({ contact_id, reason }: Skip): AuditEntry => ({
    action: 'contact.not_enrolled',
    resourceType: 'contact',
    resourceId: contact_id,
    changes: { campaign_id: campaignId, ...because, reason },
  });
