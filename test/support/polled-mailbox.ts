import { sealImapSecret } from '../../src/accounts/secret.ts';
import type { App } from '../../src/app.ts';
import { keepContent, keptContent } from '../../src/campaigns/index.ts';
import { roomFor } from '../../src/core/room.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import type { TestInstallation } from './database.ts';
import type { ImapServer } from './imap-server.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertRow } from './rows.ts';

export const PASSWORD = 'correct horse';

/** Creates an account whose mailbox is on the test's IMAP server. */
export async function mailboxAccount(app: App, port: number, email: string, values: Record<string, unknown> = {}): Promise<number> {
  const server = { host: '127.0.0.1', port, secure: false, tls: 'off' as const, user: email };
  const id = await insertAccount(app, { email, imap: JSON.stringify(server), ...values });
  const secret = sealImapSecret(app, { id, server }, { pass: PASSWORD });
  await app.db.query(sql`update accounts set imap_secret = ${secret} where id = ${id}`);
  return id;
}

export interface SentMail {
  outboxId: number;
  enrolmentId: number;
  contactId: number;
  campaignId: number;
  messageId: string;
  recipient: string;
}

/** Lists the accounts whose mailboxes are due for a poll and are not being polled. */
export async function dueMailboxes(app: App): Promise<number[]> {
  const claimed = await new MailboxPoller(app).claimDue(roomFor(2_000));
  const ids = claimed.map(({ accountId }) => accountId);
  await app.db.query(sql`update accounts set poll_worker = null, poll_lease_until = null where id = any(${ids}::int[])`);
  return ids;
}

let made = 0;

export interface SentOptions {
  campaignId?: number;
  contactId?: number;
  enrolmentId?: number;
  recipient?: string;
  subject?: string;
  /** The Message-ID of the mail. */
  named?: string;
  step?: number;
  stepId?: number;
  enrolment?: Record<string, unknown>;
  at?: Date;
}

/** Inserts an email that the account sent to a contact a moment ago, as sending records it in the ledger. */
export async function sentMail({ app }: TestInstallation, accountId: number, options: SentOptions = {}): Promise<SentMail> {
  const recipient = options.recipient ?? `ada-${++made}@recipient.example`;
  const campaignId = options.campaignId ?? (await insertCampaign(app, { account_id: accountId }, [{ subject: 'Hello' }, {}, {}]));
  const contactId = options.contactId ?? (await insertContact(app, { email: recipient, name: 'Ada Lovelace' }));
  const step = options.step ?? 1;
  const at = options.at ?? app.clock.now();
  const progress = {
    current_step: step + 1,
    last_sent_step: step,
    last_sent_at: at,
    account_id: accountId,
    due_at: new Date(at.getTime() + 86_400_000),
  };
  const enrolmentId =
    options.enrolmentId ?? (await insertEnrolment(app, campaignId, { contact_id: contactId, ...progress, ...options.enrolment })).id;
  const [row] = await app.db.query<{ id: number; body_html: string }>(
    sql`select id, body_html from steps where campaign_id = ${campaignId} and step_order = ${step}`,
  );
  const kept = keptContent({ body: row?.body_html ?? '', signature: null, footer: null, spintax: false }, { first_name: 'Ada' });
  const stepId = options.stepId ?? row?.id;
  if (stepId !== undefined) await keepContent(app.db, stepId, kept);
  const messageId = options.named ?? `<mail-${++made}-${'k'.repeat(10)}@example.com>`;
  const outboxId = await insertRow(app, 'outbox', {
    ...{ workspace_id: 1, campaign_id: campaignId, enrolment_id: enrolmentId, contact_id: contactId, account_id: accountId },
    ...{ step_id: stepId, step_order: step, recipient, state: 'accepted', message_id: messageId },
    ...{ subject: options.subject ?? 'Hello', claimed_at: at, transmitting_at: at, accepted_at: at },
    ...{ content_key: kept.key, content_values: JSON.stringify(kept.values) },
  });
  return { outboxId: Number(outboxId), enrolmentId, contactId, campaignId, messageId, recipient };
}

/** Puts a message into the mailbox's INBOX. */
export const arrive = (server: ImapServer, user: string, raw: string, folder = 'INBOX') => server.append(user, folder, raw);
