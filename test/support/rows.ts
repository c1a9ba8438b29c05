import type { App } from '../../src/app.ts';
import { join, raw, sql } from '../../src/db/statement.ts';
import { type NewEvent, recordEnrolled } from '../../src/events/index.ts';

type Values = Record<string, unknown>;

/** A server that does not exist. */
const SMTP = JSON.stringify({ host: '127.0.0.1', port: 1, secure: false, tls: 'off', user: null, private: true });

/** Inserts a row directly into a table: for tests of what happens to rows, not of how they are created. Returns its id. */
export async function insertRow(app: App, table: string, values: Values): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(sql`
    insert into ${raw(table)} (${raw(Object.keys(values).join(', '))}) values (${join(Object.values(values))}) returning id`);
  return row?.id ?? 0;
}

let made = 0;

export const insertAccount = (app: App, values: Values = {}): Promise<number> => {
  const now = app.clock.now();
  const email = `account-${++made}@example.com`;
  return insertRow(app, 'accounts', {
    ...{ workspace_id: 1, provider: 'smtp', email, smtp: SMTP, smtp_secret: 'sealed', connected_at: now, updated_at: now, created_by: 1 },
    ...values,
  });
};

/** Inserts a campaign with its steps, sent from `account_id` or a new account. */
export async function insertCampaign(app: App, values: Values = {}, steps: Values[] = [{}]): Promise<number> {
  const now = app.clock.now();
  const accountId = values.account_id ?? (await insertAccount(app, { workspace_id: values.workspace_id ?? 1 }));
  const id = await insertRow(app, 'campaigns', {
    ...{ workspace_id: 1, name: `Campaign ${++made}`, account_id: accountId, timezone: 'UTC', status: 'active' },
    ...{ created_by: 1, created_at: now, updated_at: now },
    ...values,
  });
  for (const [index, step] of steps.entries())
    await insertRow(app, 'steps', {
      campaign_id: id,
      step_order: index + 1,
      body_html: '<p>Hi</p>',
      created_at: now,
      updated_at: now,
      ...step,
    });
  return id;
}

/** Makes campaigns a rotation group, which has the id of the first. */
export const joinInGroup = (app: App, ids: readonly number[]): Promise<unknown> =>
  app.db.query(sql`update campaigns set rotation_group_id = ${ids[0]} where id = any(${ids}::int[])`);

export const insertContact = (app: App, values: Values = {}): Promise<number> => {
  const now = app.clock.now();
  const email = `contact-${++made}@example.com`;
  return insertRow(app, 'contacts', {
    workspace_id: 1,
    name: 'Con Tact',
    email,
    created_by: 1,
    created_at: now,
    updated_at: now,
    ...values,
  });
};

/** Inserts a list and its members. */
export async function insertList(app: App, contactIds: readonly number[] = [], values: Values = {}): Promise<number> {
  const now = app.clock.now();
  const id = await insertRow(app, 'lists', { workspace_id: 1, name: `List ${++made}`, created_at: now, ...values });
  await app.db.query(sql`
    insert into list_members (list_id, contact_id, added_at) select ${id}::int, unnest(${contactIds}::int[]), ${now}::timestamptz`);
  return id;
}

/** Inserts an enrolment that is not in the log, for tests of transitions. Returns what an event of it needs. */
export async function insertEnrolment(app: App, campaignId: number, values: Values = {}) {
  const contactId = (values.contact_id as number | undefined) ?? (await insertContact(app));
  const now = app.clock.now();
  const id = await insertRow(app, 'enrolments', {
    ...{ workspace_id: 1, campaign_id: campaignId, contact_id: contactId, created_at: now, updated_at: now },
    ...values,
  });
  return { id, contactId, campaignId };
}

export type Enrolled = Awaited<ReturnType<typeof insertEnrolment>>;

/** Inserts an enrolment and logs it, so that numbers include it. */
export async function insertLoggedEnrolment(app: App, campaignId: number, values: Values = {}): Promise<Enrolled> {
  const enrolment = await insertEnrolment(app, campaignId, values);
  await logEnrolments(app, [enrolment.id]);
  return enrolment;
}

/** Logs `enrolled` for enrolments that are rows of the test. */
export const logEnrolments = (app: App, ids: readonly number[]): Promise<void> =>
  app.db.tx((tx) => recordEnrolled(tx, ids, app.clock.now()));

/** Inserts a row directly into the log, by default of step 1 and account 1, for tests of feeds. Returns its id. */
export const insertEvent = (app: App, enrolment: Enrolled, type: NewEvent['type'], values: Values = {}): Promise<number> =>
  insertRow(app, 'events', { ...eventRow(app, enrolment, type), ...values });

const eventRow = (app: App, enrolment: Enrolled, type: NewEvent['type']): Values => ({
  ...{
    workspace_id: 1,
    campaign_id: enrolment.campaignId,
    contact_id: enrolment.contactId,
    enrolment_id: enrolment.id,
    type,
    step_order: 1,
  },
  ...{ at: app.clock.now(), day: app.clock.now().toISOString().slice(0, 10), account_id: 1, domain: 'example.com', counts_as: type },
  ...{ in_feed: true, is_first_of_email: true, is_first_of_contact: true, is_of_first_email: false },
});

/** Makes an event of an enrolment, now, by default of step 1. */
export const eventOf = (app: App, enrolment: Enrolled, type: NewEvent['type'], values: Partial<NewEvent> = {}): NewEvent => ({
  workspaceId: 1,
  campaignId: enrolment.campaignId,
  contactId: enrolment.contactId,
  enrolmentId: enrolment.id,
  type,
  stepOrder: 1,
  at: app.clock.now(),
  ...values,
});

const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d$/;

/** Reads one complete row of a table, with its instants as Dates. */
export async function rowOf<Row = Record<string, unknown>>(app: App, table: string, id: number): Promise<Row> {
  const [row] = await app.db.query<Values>(sql`select * from ${raw(table)} where id = ${id}`);
  if (row === undefined) throw new Error(`${table} has no row ${id}`);
  const values = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' && INSTANT.test(value) ? new Date(value) : value,
  ]);
  return Object.fromEntries(values) as Row;
}

/** Inserts an email into the ledger that the server accepted an hour ago, of step 1 of an enrolment. Returns its id. */
export async function insertMail(app: App, enrolment: Enrolled, values: Values = {}): Promise<number> {
  const [of] = await app.db.query<{ account_id: number; step_id: number; recipient: string }>(sql`
    select c.account_id, s.id as step_id, k.email as recipient from campaigns c
    join steps s on s.campaign_id = c.id and s.step_order = 1 and s.deleted_at is null join contacts k on k.id = ${enrolment.contactId}
    where c.id = ${enrolment.campaignId}`);
  const before = new Date(app.clock.now().getTime() - 3_600_000);
  return insertRow(app, 'outbox', {
    ...{ workspace_id: 1, campaign_id: enrolment.campaignId, enrolment_id: enrolment.id, contact_id: enrolment.contactId, step_order: 1 },
    ...{ state: 'accepted', message_id: `<mail-${++made}@example.com>`, claimed_at: before, accepted_at: before, ...of, ...values },
  });
}

/** Inserts a reply to the first email of an enrolment, with its inbound message, and the email unless there is one. Returns its id. */
export async function insertReply(app: App, enrolment: Enrolled, values: Values = {}): Promise<number> {
  const [email] = await app.db.query<{ id: number; account_id: number; workspace_id: number }>(sql`
    select id, account_id, workspace_id from outbox where id = ${await emailOf(app, enrolment)}`);
  const now = app.clock.now();
  const { workspace_id, account_id, id: outbox_id } = email ?? {};
  const inboundId = await insertRow(app, 'inbound_messages', {
    ...{ workspace_id, account_id, folder: 'INBOX', uid_validity: 1, uid: ++made, message_id: `<reply-${made}@x.example>`, proof: 'id' },
    ...{ verdict: 'reply', writer: 'contact', enrolment_id: enrolment.id, outbox_id, created_at: now },
  });
  return insertRow(app, 'replies', {
    ...{
      workspace_id,
      campaign_id: enrolment.campaignId,
      contact_id: enrolment.contactId,
      enrolment_id: enrolment.id,
      account_id,
      outbox_id,
    },
    ...{ step_order: 1, inbound_id: inboundId, mailbox_id: account_id, kind: 'reply', sender: 'ada@example.com', sender_name: 'Ada' },
    ...{ subject: 'Re: Hello', own_text: 'Yes', full_text: 'Yes', received_at: now, created_at: now },
    ...values,
  });
}

async function emailOf(app: App, enrolment: Enrolled): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(sql`select id from outbox where enrolment_id = ${enrolment.id} order by id limit 1`);
  if (row !== undefined) return row.id;
  const { workspace_id } = await rowOf(app, 'campaigns', enrolment.campaignId);
  return insertMail(app, enrolment, { workspace_id, transmitting_at: app.clock.now() });
}
