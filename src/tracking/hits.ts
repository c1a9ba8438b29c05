import type { App } from '../app.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { sql, type Tx } from '../db.ts';
import { messageOf } from '../errors.ts';
import { recordEvents } from '../events/index.ts';
import { burstsAmong, type Hit, machineReason } from './machine.ts';

/** A request for an image or link, as it was answered; written down a little later. */
export interface RawHit extends Omit<Hit, 'age'> {
  outboxId: number;
  url: string | null;
  ip: string | null;
  at: Date;
}

/** Hits wait this long, so that a burst is seen whole and a mail's acceptance is recorded; longer than a burst lasts. */
const WAIT = 3 * SECOND;
const MAX_WAITING = 10_000;
const MAX_HITS_PER_MAIL = 200;

/**
 * Takes hits at once and writes them in groups. A click is answered before it is written: a crash within these seconds
 * loses a statistic, never a state.
 */
export class HitLog {
  readonly #app: App;
  #waiting: RawHit[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
  }

  add(hit: RawHit): void {
    // A flood of one pixel must not fill the memory.
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(hit);
    this.#timer ??= setTimeout(() => void this.flush(), WAIT);
  }

  /** Writes what waits; resolves when it is written or given up. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const hits = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writing
      .then(() => writeHits(this.#app, hits))
      .catch((error) => this.#app.log.error({ reason: messageOf(error), hits: hits.length }, 'opens and clicks could not be written'));
    return this.#writing;
  }
}

interface MailOfHit {
  id: number;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
  enrolment_id: number;
  step_order: number;
  accepted_at: string | Date | null;
  hits: number;
}

async function writeHits(app: App, hits: readonly RawHit[]): Promise<void> {
  if (hits.length === 0) return;
  await app.db.tx(async (tx) => {
    const mails = await loadMails(tx, [...new Set(hits.map((hit) => hit.outboxId))]);
    const judged = hits.flatMap((hit) => {
      const mail = mails.get(hit.outboxId);
      return mail === undefined || mail.hits >= MAX_HITS_PER_MAIL ? [] : [{ ...hit, mail, machine: judge(hit, mail, hits) }];
    });
    for (const { mail, machine, ...hit } of judged)
      await tx.query(sql`
        insert into tracking_hits (workspace_id, outbox_id, kind, url, machine, ip, user_agent, at)
        values (${mail.workspace_id}, ${mail.id}, ${hit.kind}, ${hit.url}, ${machine}, ${truncated(hit.ip)}::inet, ${hit.userAgent.slice(0, 300)}, ${hit.at})`);
    await recordPeople(
      tx,
      judged.filter((hit) => hit.machine === null),
    );
  });
}

function judge(hit: RawHit, mail: MailOfHit, all: readonly RawHit[]): string | null {
  const age = mail.accepted_at === null ? null : hit.at.getTime() - new Date(mail.accepted_at).getTime();
  const reason = machineReason({ ...hit, age });
  if (reason !== null || hit.kind === 'opened') return reason;
  const clicks = all
    .filter((other) => other.outboxId === hit.outboxId && other.kind === 'clicked')
    .map((click) => ({ at: click.at, url: click.url ?? '', hit: click }));
  return [...burstsAmong(clicks)].some((click) => click.hit === hit) ? 'burst' : null;
}

async function loadMails(tx: Tx, ids: readonly number[]): Promise<Map<number, MailOfHit>> {
  const rows = await tx.query<MailOfHit>(sql`
    select o.id, o.workspace_id, o.campaign_id, o.contact_id, o.enrolment_id, o.step_order, o.accepted_at,
      (select count(*)::int from tracking_hits h where h.outbox_id = o.id) as hits
    from outbox o where o.id = any(${ids}::bigint[])`);
  return new Map(rows.map((row) => [Number(row.id), { ...row, id: Number(row.id) }]));
}

/** Events of what people did: at most one per contact, step and link in a minute. */
async function recordPeople(tx: Tx, hits: readonly (RawHit & { mail: MailOfHit })[]): Promise<void> {
  const fresh = new Map<string, RawHit & { mail: MailOfHit }>();
  for (const hit of hits) {
    const key = `${hit.mail.enrolment_id}|${hit.mail.step_order}|${hit.kind}|${hit.url ?? ''}`;
    if (fresh.has(key)) continue;
    const [recent] = await tx.query(sql`
      select 1 from events where enrolment_id = ${hit.mail.enrolment_id} and type = ${hit.kind} and step_order = ${hit.mail.step_order}
        and url is not distinct from ${hit.url} and at > ${new Date(hit.at.getTime() - MINUTE)} limit 1`);
    if (recent === undefined) fresh.set(key, hit);
  }
  await recordEvents(
    tx,
    [...fresh.values()].map(({ mail, kind, url, at }) => ({
      workspaceId: mail.workspace_id,
      campaignId: mail.campaign_id,
      contactId: mail.contact_id,
      enrolmentId: mail.enrolment_id,
      type: kind,
      stepOrder: mail.step_order,
      url,
      at,
    })),
  );
}

/** Addresses of people are kept only as far as they tell a network: /24 and /48. */
function truncated(ip: string | null): string | null {
  if (ip === null) return null;
  const v4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(ip);
  if (v4) return `${v4[1]}.0/24`;
  return /^[0-9a-f:]+$/i.test(ip) ? `${ip.split('::')[0]?.split(':').slice(0, 3).join(':') || '0'}::/48` : null;
}
