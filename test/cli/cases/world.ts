import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addUser, createKey, createWorkspace, inviteUser } from '../../../src/access/index.ts';
import { connectAccount, setAccountStatus } from '../../../src/accounts/index.ts';
import { addStep, createCampaign, createRotation, openDueCalls } from '../../../src/campaigns/index.ts';
import { sql } from '../../../src/db/statement.ts';
import { createWebhook, testWebhook } from '../../../src/webhooks/index.ts';
import type { TestInstallation } from '../../support/database.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertRow } from '../../support/rows.ts';
import type { SmtpSink } from '../../support/smtp-sink.ts';

/** The environment of the cases: an installation, a mail server, and the URL of a webhook receiver. */
export interface World extends TestInstallation {
  smtp: SmtpSink;
  receiver: string;
}

let made = 0;
export const fresh = (what: string) => `${what}${++made}`;
export const address = (what: string) => `${fresh(what)}@example.com`;

/** Connects a mailbox that can log in. */
export async function connected({ app, caller, smtp }: World): Promise<string> {
  const server = { host: '127.0.0.1', port: smtp.port, secure: false, tls: 'off', user: 'me' } as const;
  const access = { provider: 'smtp', smtp: { server, secret: { pass: 'secret' } } } as const;
  return String((await connectAccount(app, caller, { email: address('box'), ...access })).id);
}

/** Connects a mailbox with a stored health check, so that no name server is queried. */
export async function healthy(world: World): Promise<string> {
  const accountId = await connected(world);
  const at = '2026-01-05 09:00:00';
  const checks = [{ check: 'spf', state: 'good', since: at, detail: 'v=spf1 -all', remedy: null }];
  const health = JSON.stringify({ word: 'good', since: at, checked_at: at, lists_asked_at: at, checks });
  await world.app.db.query(sql`update accounts set health = ${health}::jsonb where id = ${Number(accountId)}`);
  return accountId;
}

export async function pausedAccount(world: World): Promise<string> {
  const { app, caller } = world;
  const accountId = await connected(world);
  const pause = { status: 'paused', pause_reason: 'manual', pause_message: null } as const;
  await app.db.tx((tx) => setAccountStatus(tx, app, caller, Number(accountId), pause));
  return accountId;
}

/** Creates a draft whose mailbox is polled, so that contacts can opt out by a reply. */
export async function draft({ app, caller }: World): Promise<string> {
  const server = JSON.stringify({ host: 'mail.example.com', port: 993, secure: true, user: 'x' });
  const account_id = await insertAccount(app, { smtp: server, imap: server });
  const campaign = await createCampaign(app, caller, { name: fresh('Campaign '), account_id });
  const content = { subject: 'Hello {{name}}', body_html: '<p>Hi</p>', subject_b: null, body_html_b: null };
  await addStep(app, caller, campaign.id, { ...content, wait_days: 0, kind: 'email' });
  return String(campaign.id);
}

export async function running(world: World): Promise<string> {
  const { app } = world;
  const campaign = await insertCampaign(app, { account_id: Number(await connected(world)) });
  await insertEnrolment(app, campaign, { due_at: app.clock.now() });
  return String(campaign);
}

export async function dueCall({ app }: World): Promise<string> {
  const window = { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 };
  const campaign = await insertCampaign(app, window, [{}, { kind: 'call', body_html: 'Ring' }]);
  const { id: enrolment } = await insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 1, due_at: app.clock.now() });
  await openDueCalls(app);
  const [row] = await app.db.query<{ id: number }>(sql`select id from call_tasks where enrolment_id = ${enrolment}`);
  return String(row?.id);
}

/** Inserts an email whose delivery is unknown after a crash. */
export async function unknownMail({ app }: World): Promise<string> {
  const campaign = await insertCampaign(app);
  const { id: enrolment, contactId } = await insertEnrolment(app, campaign, { due_at: app.clock.now() });
  const [step] = await app.db.query<{ id: number; account_id: number }>(
    sql`select s.id, c.account_id from steps s join campaigns c on c.id = s.campaign_id where c.id = ${campaign}`,
  );
  const at = app.clock.now();
  const mail = await insertRow(app, 'outbox', {
    ...{ workspace_id: 1, campaign_id: campaign, enrolment_id: enrolment, contact_id: contactId, account_id: step?.account_id },
    ...{ step_id: step?.id, step_order: 1, recipient: 'r@example.org', state: 'unknown', message_id: fresh('<m'), claimed_at: at },
    transmitting_at: at,
  });
  return String(mail);
}

export async function person({ app, caller }: World, disabled = false): Promise<string> {
  const email = address('person');
  const { id: userId } = await app.db.tx((tx) => addUser(tx, app, caller, { email, name: 'P', role: 'manager' }));
  if (disabled) await app.db.query(sql`update users set disabled_at = ${app.clock.now()} where id = ${userId}`);
  return email;
}

export async function inWorkspace({ app }: World, isArchived = false): Promise<string> {
  const name = fresh('Workspace ');
  const workspaceId = await app.db.tx((tx) => createWorkspace(tx, app, null, { name }));
  if (isArchived) await app.db.query(sql`update workspaces set archived_at = ${app.clock.now()} where id = ${workspaceId}`);
  return name;
}

export async function file({ dataDir }: World, name: string, text: string): Promise<string> {
  const path = join(dataDir, fresh(name));
  writeFileSync(path, text);
  return path;
}

/** Creates a record that the command must find, and adds no arguments. */
export const none = async (work: Promise<unknown>): Promise<string[]> => work.then(() => []);

export async function rotated(world: World): Promise<string> {
  const { app, caller } = world;
  const rotationOf = await createRotation(app, caller, Number(await draft(world)), [await insertAccount(app)]);
  return String(rotationOf.id);
}

export const deletedList = async ({ app }: World): Promise<string> =>
  String(await insertRow(app, 'lists', { workspace_id: 1, name: 'Leads', created_at: app.clock.now(), deleted_at: app.clock.now() }));

/** Invites a user, who has not accepted yet. */
export async function invitee({ app, caller }: World): Promise<string> {
  const email = address('invited');
  await inviteUser(app, caller, { email, name: 'I', role: 'manager' });
  return email;
}

export async function key({ app, caller }: World): Promise<string> {
  const { id } = await app.db.tx((tx) => createKey(tx, app, caller, { name: fresh('key '), userId: 1, workspaceId: 1 }));
  return String(id);
}

export async function webhook({ app, caller, receiver }: World): Promise<string> {
  const { id } = await createWebhook(app, caller, { url: receiver, name: fresh('Hook ') });
  return String(id);
}

/** Makes a delivery, and returns its id or that of its webhook. */
export async function delivery(world: World, wanted: 'webhook' | 'delivery'): Promise<string> {
  const made = await testWebhook(world.app, world.caller, Number(await webhook(world)));
  return String(wanted === 'webhook' ? made.webhook_id : made.id);
}
