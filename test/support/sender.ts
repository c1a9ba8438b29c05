import { beforeEach } from 'vitest';
import { type AccountSettings, connectAccount } from '../../src/accounts/index.ts';
import { sealImapSecret } from '../../src/accounts/secret.ts';
import type { App } from '../../src/app.ts';
import {
  activateCampaign,
  addStep,
  type CampaignPatch,
  changeCampaign,
  createCampaign,
  enrol,
  type NewStep,
} from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import type { SmtpOptions } from '../../src/mail/smtp-session.ts';
import { type BatchReport, BatchRunner } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { afterFile } from './after-file.ts';
import { TEST_START, type TestInstallation, testInstallation } from './database.ts';
import { type ImapServer, startImapServer } from './imap-server.ts';
import { PASSWORD } from './polled-mailbox.ts';
import { insertContact, rowOf } from './rows.ts';
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts';

export interface SenderOptions {
  account?: Partial<AccountSettings>;
  campaign?: CampaignPatch;
  steps?: Partial<NewStep>[];
  /** One contact for each; values of its row. */
  contacts?: Record<string, unknown>[];
  /** The times that its batches wait for the server. */
  timings?: Partial<SmtpOptions>;
}

/** A running campaign on an account of its own that sends to a sink. Contacts are numbered in their order. */
export interface Sender {
  accountId: number;
  campaignId: number;
  contactIds: number[];
  batch(): Promise<BatchReport>;
}

/** Runs batches as the daemon does, but treats every mailbox as read. */
export const batchesOf = (app: App, timings: Partial<SmtpOptions> = {}): BatchRunner =>
  new BatchRunner(app, { ensurePolled: async () => [], decorate: decorateEmail, linkOf }, timings);

let made = 0;

/** Creates an account that sends everything due in one batch, and a running campaign on it, through the program's own functions. */
export async function startSender(
  { app, caller }: Pick<TestInstallation, 'app' | 'caller'>,
  sink: Pick<SmtpSink, 'port'>,
  options: SenderOptions = {},
): Promise<Sender> {
  const name = `sender-${++made}@example.com`;
  const account = await connectAccount(app, caller, {
    email: name,
    provider: 'smtp',
    smtp: { server: parseMailUrl(`smtp://me@127.0.0.1:${sink.port}`, 'smtp').server, secret: { pass: 'secret' } },
    settings: { send_batch_min: 100, send_batch_max: 100, daily_send_limit: 1_000, ...options.account },
  });
  const campaign = await createCampaign(app, caller, { name, account_id: account.id });
  if (options.campaign !== undefined) await changeCampaign(app, caller, campaign.id, options.campaign);
  for (const step of options.steps ?? [{}]) await addStep(app, caller, campaign.id, { ...STEP, ...step });
  const contactIds: number[] = [];
  for (const values of options.contacts ?? [{}]) contactIds.push(await insertContact(app, values));
  await enrol(app, caller, campaign.id, { contact_ids: contactIds });
  await activateCampaign(app, caller, campaign.id, null);
  const batches = batchesOf(app, options.timings);
  return { accountId: account.id, campaignId: campaign.id, contactIds, batch: () => batches.run(account.id) };
}

/**
 * Creates an installation and an SMTP sink for a test file, taken down after it. Before each test the clock is set to TEST_START, and the
 * sink has no messages and accepts all.
 */
export async function sendingInstallation(
  settings: Parameters<typeof testInstallation>[0] = {},
): Promise<{ installation: TestInstallation; sink: SmtpSink }> {
  const installation = await testInstallation(settings);
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
  beforeEach(() => {
    installation.clock.set(TEST_START);
    sink.behave();
    sink.messages.length = 0;
  });
  return { installation, sink };
}

/** Starts an SMTP sink and an IMAP server with a mailbox for each of the first forty senders, closed after the test file. */
export async function startMailServers(): Promise<{ imap: ImapServer; sink: SmtpSink }> {
  const imap = await startImapServer({ users: nextSenders() });
  afterFile(() => imap.close());
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
  return { imap, sink };
}

/** Returns the passwords of the next forty senders by their address. */
export const nextSenders = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`sender-${made + index + 1}@example.com`, PASSWORD]));

/** Gives an account a mailbox at `port` whose user is its address. Returns the address. */
export async function giveMailbox({ app }: TestInstallation, accountId: number, port: number): Promise<string> {
  const { email } = await rowOf<{ email: string }>(app, 'accounts', accountId);
  const server = { host: '127.0.0.1', port, secure: false, tls: 'off' as const, user: email };
  const secret = sealImapSecret(app, { id: accountId, server }, { pass: PASSWORD });
  await app.db.query(sql`update accounts set imap = ${JSON.stringify(server)}::jsonb, imap_secret = ${secret} where id = ${accountId}`);
  return email;
}

const STEP: NewStep = {
  subject: 'Hello',
  body_html: '<p>Hello {{name}}</p>',
  subject_b: null,
  body_html_b: null,
  wait_days: 0,
  kind: 'email',
};

/** Reads the state of a campaign's enrolments, in the order of their contacts. */
export const enrolmentsOf = ({ app }: TestInstallation, campaignId: number) =>
  app.db.query<{
    id: number;
    contact_id: number;
    status: string;
    current_step: number;
    due_at: string | null;
    hold_reason: string | null;
    stop_reason: string | null;
    variant: 'A' | 'B' | null;
  }>(sql`
    select id, contact_id, status, current_step, due_at, hold_reason, stop_reason, variant from enrolments
    where campaign_id = ${campaignId} order by contact_id`);
