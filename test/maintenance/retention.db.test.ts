import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { audit, pruneAuditLog } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { DAY, HOUR, type ManualClock, SECOND } from '../../src/core/clock.ts';
import { SETTINGS } from '../../src/core/settings.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller, pruneMessages, wasAnswered } from '../../src/inbound/index.ts';
import { timetable } from '../../src/main/timetable.ts';
import { pruneHits, wasFetched } from '../../src/tracking/index.ts';
import { pruneDeliveries } from '../../src/webhooks/index.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { type Enrolled, insertAccount, insertCampaign, insertEnrolment, insertMail, insertRow } from '../support/rows.ts';

let app: App;
let clock: ManualClock;

beforeAll(async () => {
  ({ app, clock } = await testInstallation());
});
beforeEach(() => clock.set(TEST_START));

const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY);
const idsOf = async (table: 'tracking_hits' | 'inbound_messages' | 'webhook_deliveries' | 'audit_log') =>
  (await app.db.pool.query<{ id: number }>(`select id from ${table} order by id`)).rows.map(({ id }) => id);

async function email(state: string): Promise<{ id: number; enrolment: Enrolled }> {
  const enrolment = await insertEnrolment(app, await insertCampaign(app));
  const id = await insertMail(app, enrolment, { state, closed_at: state === 'accepted' ? daysAgo(900) : null });
  return { id, enrolment };
}

describe('Tracking hits', () => {
  it('are deleted after 180 days; events, and hits that may prove that an email arrived, are not', async () => {
    const [sent, unknown] = [await email('accepted'), await email('unknown')];
    const hit = (outbox: number, days: number) =>
      insertRow(app, 'tracking_hits', { workspace_id: 1, outbox_id: outbox, kind: 'opened', ip: '192.0.2.1', at: daysAgo(days) });
    await hit(sent.id, 181);
    const kept = [await hit(unknown.id, 400)];
    await hit(sent.id, 300);
    kept.push(await hit(sent.id, 179));
    expect(await pruneHits(app)).toBe(2);
    expect(await idsOf('tracking_hits')).toEqual(kept);
    expect(await app.db.query(sql`select 1 from outbox o where o.id = ${unknown.id} and ${wasFetched('o.id')}`)).toHaveLength(1);
    expect(await pruneHits(app)).toBe(0);
  });

  it('more than a batch of them go in one run', async () => {
    const { id } = await email('accepted');
    const before = await idsOf('tracking_hits');
    await app.db.query(sql`
      insert into tracking_hits (workspace_id, outbox_id, kind, at)
      select 1, ${id}, 'opened', ${daysAgo(200)} from generate_series(1, 5001)`);
    expect(await pruneHits(app)).toBe(5_001);
    expect(await idsOf('tracking_hits')).toEqual(before);
  });
});

describe('Inbound messages', () => {
  it('about none of our emails are deleted after a year; of the others the words go after three, and what they prove stays', async () => {
    const account = await insertAccount(app);
    const { id: outboxId, enrolment } = await email('accepted');
    let uid = 0;
    const message = (days: number, values: object) =>
      insertRow(app, 'inbound_messages', {
        ...{ workspace_id: 1, account_id: account, folder: 'INBOX', uid_validity: 1, uid: ++uid, message_id: `<m${uid}@x>` },
        ...{ verdict: 'none of ours', created_at: daysAgo(days), ...values },
      });
    const reply = {
      ...{ verdict: 'reply', enrolment_id: enrolment.id, outbox_id: outboxId, proof: 'id' },
      sender: 'a@x',
      subject: 's',
      snippet: 't',
    };
    await message(366, {});
    const kept = [await message(364, {}), await message(1_096, reply), await message(1_094, reply)];
    for (const inbound_id of kept.slice(1)) {
      await insertRow(app, 'replies', {
        ...{ workspace_id: 1, campaign_id: enrolment.campaignId, contact_id: enrolment.contactId, enrolment_id: enrolment.id },
        ...{ outbox_id: outboxId, account_id: account },
        ...{ step_order: 1, inbound_id, mailbox_id: account, kind: 'reply', received_at: clock.now(), created_at: clock.now() },
        ...{ sender: 'a@x', sender_name: 'A', subject: 's', own_text: 't', full_text: 't', files: '[{"name": "offer.pdf"}]' },
      });
    }
    expect(await pruneMessages(app)).toBe(2);
    expect(await idsOf('inbound_messages')).toEqual(kept);
    const words = await app.db.query(sql`select id, message_id, verdict, sender, subject, snippet from inbound_messages order by id`);
    expect(words).toMatchObject([
      { sender: null },
      { verdict: 'reply', message_id: expect.stringContaining('@x'), sender: null, subject: null, snippet: null },
      { sender: 'a@x', subject: 's', snippet: 't' },
    ]);
    const replies = await app.db.query(
      sql`select sender, sender_name, subject, own_text, full_text, files, words::text from replies order by id`,
    );
    expect(replies).toEqual([
      { sender: '', sender_name: '', subject: '', own_text: '', full_text: '', files: [], words: '' },
      {
        sender: 'a@x',
        sender_name: 'A',
        subject: 's',
        own_text: 't',
        full_text: 't',
        files: [{ name: 'offer.pdf' }],
        words: expect.stringContaining('a'),
      },
    ]);
    expect(await app.db.query(sql`select 1 from outbox o where o.id = ${outboxId} and ${wasAnswered('o.id')}`)).toHaveLength(1);
    expect(await pruneMessages(app)).toBe(0);
  });
});

describe('Webhook deliveries', () => {
  it('are deleted after the days of the setting', async () => {
    const webhook = await insertRow(app, 'webhooks', { workspace_id: 1, name: 'w', url: 'https://x.example', secret: '', ...at() });
    const delivery = (days: number) =>
      insertRow(app, 'webhook_deliveries', {
        webhook_id: webhook,
        type: 'webhook.test',
        data: '{}',
        status: 'failed',
        created_at: daysAgo(days),
      });
    await delivery(31);
    const kept = [await delivery(29)];
    expect(await pruneDeliveries(app, AbortSignal.abort()), 'a drain does not wait for it: "until … the signal aborts"').toBe(0);
    expect(await pruneDeliveries(app)).toBe(1);
    expect(await idsOf('webhook_deliveries')).toEqual(kept);
    expect(await pruneDeliveries({ ...app, config: { ...app.config, retentionWebhookDeliveries: 10 } })).toBe(1);
  });
});

const at = () => ({ created_at: clock.now(), updated_at: clock.now() });

describe('The audit log', () => {
  const entry = (days: number) =>
    app.db.tx(async (tx) => {
      await audit(tx, { ...CLI, ip: '192.0.2.7' }, daysAgo(days), {
        action: 'list.create',
        resourceType: 'list',
        resourceId: 1,
        changes: { name: 'x' },
      });
    });
  const CLI = { actor: 'cli', workspaceId: 1, userId: null, role: 'admin', apiKeyId: null, ip: null, isInstallAdmin: true } as const;
  const asked = (change: string, statement: string) =>
    app.db.tx(async (tx) => {
      await tx.query(sql`select set_config('outreach.audit_change', ${change}, true)`);
      await tx.query({ ...sql``, text: statement, values: [] } as unknown as ReturnType<typeof sql>);
    });

  it('is append-only: entries are neither changed nor deleted, whoever asks', async () => {
    await entry(1);
    for (const statement of ['update audit_log set changes = $${}$$', 'delete from audit_log', 'truncate audit_log'])
      for (const change of ['', 'anything'])
        await expect(asked(change, statement), statement).rejects.toThrow('the audit log is append-only');
  });

  it('an erasure may clear what an entry says of a person, not who did what and when, and deletes none', async () => {
    await asked('erasure', "update audit_log set changes = '{}', ip = null");
    for (const statement of [
      "update audit_log set action = 'x'",
      'update audit_log set at = now()',
      'update audit_log set user_id = 1',
      'delete from audit_log',
    ])
      await expect(asked('erasure', statement), statement).rejects.toThrow('the audit log is append-only');
  });

  it('is kept forever, or as long as the setting says, a year at least', async () => {
    await entry(4_000);
    const before = await idsOf('audit_log');
    expect(await pruneAuditLog(app)).toBe(0);
    expect(await idsOf('audit_log')).toEqual(before);
    await app.db.tx(async (tx) => {
      await tx.query(sql`select set_config('outreach.audit_change', 'retention', true)`);
      await tx.query(sql`delete from audit_log where at > ${daysAgo(3_000)}`);
    });
    expect(await pruneAuditLog({ ...app, config: { ...app.config, retentionAuditLog: 3_650 } })).toBe(1);
    await expect(asked('retention', 'update audit_log set ip = null')).resolves.toBeUndefined();
    await entry(1);
    await expect(asked('retention', 'update audit_log set ip = null')).rejects.toThrow('the audit log is append-only');
  });
});

describe('Every setting for how long something is kept', () => {
  const settings = Object.keys(SETTINGS).filter((name) => name.startsWith('retention'));

  it('is followed by an hourly job, without anybody’s doing', async () => {
    const read = new Set<string>();
    const config = new Proxy(app.config, {
      get(target, name) {
        read.add(String(name));
        return Reflect.get(target, name);
      },
    });
    const jobs = timetable(app, new MailboxPoller(app)).recurring.filter(({ everySeconds }) => everySeconds === HOUR / SECOND);
    for (const { name, run } of jobs) if (name.startsWith('prune')) await run({ ...app, config }, new AbortController().signal);
    expect([...read].filter((name) => name.startsWith('retention')).sort()).toEqual(settings.sort());
  });

  it('stands in docs/retention.md with its default', () => {
    const page = readFileSync(new URL('../../docs/retention.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\|[^|]*\| `(retention\.\w+)` \| ([^|]*?) \|/gm)].map(([, name, value]) => [name, value]);
    const inPage = (value: unknown) => (value === undefined ? 'forever' : Number(value).toLocaleString('en'));
    const expected = settings.map((name) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace('_', '.'),
      inPage(app.config[name as keyof typeof app.config]),
    ]);
    expect(rows.sort()).toEqual(expected.sort());
  });
});
