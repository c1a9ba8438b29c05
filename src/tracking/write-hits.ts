import { memberAddresses } from '../access/index.ts';
import type { App } from '../app.ts';
import { noteCause } from '../campaigns/index.ts';
import { networkOf } from '../core/client-address.ts';
import { MINUTE } from '../core/clock.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { isSameEmail, markEmails, recordEvents } from '../events/index.ts';
import { burstsAmong, CHECK, type Hit, machineReason } from './machine.ts';

/** A request for an image or link, already answered but not yet written. */
export interface RawHit extends Omit<Hit, 'age' | 'isOwnSide'> {
  outboxId: number;
  url: string | null;
  at: Date;
}

/** Limits the share of the queue and the table used by a link that is fetched again and again. */
export const MAX_HITS_PER_EMAIL = 200;

/** The email to which a link or image belongs. */
interface TrackedEmail {
  id: number;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
  enrolment_id: number;
  step_order: number;
  accepted_at: Date | null;
  /** Number of hits already written. */
  hits: number;
}

type Judged = RawHit & { email: TrackedEmail; machine: string | null };
type Click = Pick<RawHit, 'outboxId' | 'at'> & { url: string; isHead: boolean };

/**
 * Writes hits, those by machines with the reason, and records events for what people did, in one transaction.
 * @param younger hits that are written later but show which of these are part of a burst
 */
export async function writeHits(app: App, hits: readonly RawHit[], younger: readonly RawHit[]): Promise<void> {
  if (hits.length === 0) return;
  await app.db.tx(async (tx) => {
    const ids = [...new Set(hits.map((hit) => hit.outboxId))];
    const emails = await loadEmails(tx, ids);
    const bursts = burstsOf([...(await earlierClicks(tx, ids, hits)), ...clicksOf(hits), ...clicksOf(younger)]);
    const own = await memberAddresses(
      tx,
      [...emails.values()].map((email) => email.workspace_id),
    );
    const left = new Map([...emails.values()].map((email) => [email.id, MAX_HITS_PER_EMAIL - email.hits]));
    const judged = hits.flatMap((hit): Judged[] => {
      const email = emails.get(hit.outboxId);
      const room = left.get(hit.outboxId) ?? 0;
      left.set(hit.outboxId, room - 1);
      return email === undefined || room <= 0 ? [] : [{ ...hit, email, machine: judge(hit, email, bursts, own) }];
    });
    await insertHits(tx, judged);
    await lockFor(tx, judged);
    await recordPeople(
      tx,
      judged.filter((hit) => hit.machine === null),
    );
    await markEmails(
      tx,
      judged.flatMap(({ outboxId, kind, machine, at }) => (machine === null ? [] : [{ outboxId, mark: `machine_${kind}` as const, at }])),
    );
  });
}

/**
 * Locks the enrolments of all hits together, in the order of their ids, because people's and machines' hits are recorded separately
 * afterwards.
 */
async function lockFor(tx: Tx, hits: readonly Judged[]): Promise<void> {
  const ids = hits.map(({ email }) => email.enrolment_id);
  await tx.query(sql`select 1 from enrolments where id = any(${ids}::int[]) order by id for no key update`);
}

type Addresses = Awaited<ReturnType<typeof memberAddresses>>;

function judge(hit: RawHit, email: TrackedEmail, bursts: ReadonlySet<string>, own: Addresses): string | null {
  const age = email.accepted_at === null ? null : hit.at.getTime() - email.accepted_at.getTime();
  const isOwnSide = hit.ip !== null && own.get(email.workspace_id)?.has(hit.ip) === true;
  return machineReason({ ...hit, age, isOwnSide }) ?? (hit.kind === 'clicked' && bursts.has(keyOf(hit)) ? 'burst' : null);
}

const keyOf = ({ outboxId, at, url }: { outboxId: number; at: Date; url: string | null }) => `${outboxId}|${at.getTime()}|${url ?? ''}`;

const clicksOf = (hits: readonly RawHit[]): Click[] =>
  hits
    .filter((hit) => hit.kind === 'clicked')
    .map(({ outboxId, at, url, method }) => ({ outboxId, at, url: url ?? '', isHead: method === 'HEAD' }));

function burstsOf(clicks: readonly Click[]): Set<string> {
  const perEmail = Map.groupBy(clicks, (click) => click.outboxId);
  return new Set([...perEmail.values()].flatMap((ofEmail) => [...burstsAmong(ofEmail)].map(keyOf)));
}

/** Reads clicks shortly before these, which this or another daemon has already written. Index: tracking_hits_mail. */
async function earlierClicks(tx: Tx, ids: readonly number[], hits: readonly RawHit[]): Promise<Click[]> {
  const first = Math.min(...hits.map((hit) => hit.at.getTime()));
  const rows = await tx.query<{ outbox_id: number; url: string | null; at: Date; is_head: boolean }>(sql`
    select outbox_id, url, at, coalesce(machine = 'method HEAD', false) as is_head from tracking_hits
    where outbox_id = any(${ids}::bigint[]) and kind = 'clicked' and at >= ${new Date(first - CHECK)}`);
  return rows.map((row) => ({ outboxId: row.outbox_id, at: row.at, url: row.url ?? '', isHead: row.is_head }));
}

/** Reads the emails of hits. For an email without a recorded acceptance, its age counts from its transmission. */
async function loadEmails(tx: Tx, ids: readonly number[]): Promise<Map<number, TrackedEmail>> {
  const rows = await tx.query<TrackedEmail>(sql`
    select o.id, o.workspace_id, o.campaign_id, o.contact_id, o.enrolment_id, o.step_order,
      coalesce(o.accepted_at, o.transmitting_at) as accepted_at,
      (select count(*)::int from tracking_hits h where h.outbox_id = o.id) as hits
    from outbox o where o.id = any(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

async function insertHits(tx: Tx, judged: readonly Judged[]): Promise<void> {
  const rows = judged.map(({ email, kind, url, machine, ip, userAgent, at }) => ({
    workspace_id: email.workspace_id,
    outbox_id: email.id,
    kind,
    url,
    machine,
    ip: ip === null ? null : networkOf(ip),
    at,
    user_agent: userAgent.slice(0, 300),
  }));
  await tx.query(sql`
    insert into tracking_hits (workspace_id, outbox_id, kind, url, machine, ip, user_agent, at)
    select workspace_id, outbox_id, kind, url, machine, ip, user_agent, at
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (workspace_id integer, outbox_id bigint, kind text, url text, machine text,
      ip inet, user_agent text, at timestamptz)`);
}

/**
 * Records events for what people did: at most one per email and link in a minute. The caller must hold the locks on the enrolments,
 * which serialize two daemons that got requests for the same link. Indexes: outbox_pkey, events_enrolment.
 */
async function recordPeople(tx: Tx, hits: readonly Judged[]): Promise<void> {
  const first = new Map<string, Judged>();
  for (const hit of [...hits].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const key = `${hit.email.id}|${hit.kind}|${hit.url ?? ''}`;
    if (!first.has(key)) first.set(key, hit);
  }
  const candidates = [...first.values()];
  if (candidates.length === 0) return;
  const rows = candidates.map(({ email, kind, url, at }, position) => ({
    position,
    outbox_id: email.id,
    kind,
    url,
    since: new Date(at.getTime() - MINUTE),
  }));
  const fresh = await tx.query<{ position: number }>(sql`
    select r.position from json_to_recordset(${JSON.stringify(rows)}::json) as r (position integer, outbox_id bigint, kind text, url text,
      since timestamptz) join outbox o on o.id = r.outbox_id
    where not exists (select from events e where e.enrolment_id = o.enrolment_id and e.type = r.kind and ${isSameEmail('e', 'o')}
      and e.url is not distinct from r.url and e.at > r.since) order by r.position`);
  const events = fresh.flatMap(({ position }) => {
    const hit = candidates[position];
    return hit === undefined ? [] : [eventOf(hit)];
  });
  await recordEvents(tx, events);
  const now = events.at(-1)?.at;
  if (now === undefined) return;
  for (const type of ['opened', 'clicked'] as const)
    await noteCause(tx, [...new Set(events.filter((event) => event.type === type).map(({ enrolmentId }) => enrolmentId))], type, now);
}

const eventOf = ({ email, kind, url, at }: Judged) => ({
  workspaceId: email.workspace_id,
  campaignId: email.campaign_id,
  contactId: email.contact_id,
  enrolmentId: email.enrolment_id,
  type: kind,
  stepOrder: email.step_order,
  emailId: email.id,
  url,
  at,
});
