import type { Caller } from '../../src/access/index.ts';
import { connectAccount } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import { addStep, changeCampaign, createCampaign, enrol } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** The servers and the batch size of an account. */
export interface BulkAccount {
  email: string;
  /** `smtp://USER@HOST:PORT`; without a user there is no login. */
  smtpUrl: string;
  password: string;
  /** Emails of one batch. */
  batch: number;
  dailyLimit?: number;
  /** `imap://USER@HOST:PORT`, with the same password; without it the account is not polled. */
  imapUrl?: string;
}

/** Connects an account that sends at any hour, a batch every minute. Returns its id. */
export async function connectBulkAccount(
  app: App,
  caller: Caller,
  { email, smtpUrl, password, batch, ...rest }: BulkAccount,
): Promise<number> {
  const { server } = parseMailUrl(smtpUrl, 'smtp');
  const settings = {
    ...{ send_batch_min: batch, send_batch_max: batch, send_batch_interval_minutes: 1, daily_send_limit: rest.dailyLimit ?? 100_000 },
    ...{ send_window_start_hour: 0, send_window_end_hour: 24 },
  };
  const smtp = { server, secret: { pass: password } };
  const imap = rest.imapUrl && { server: parseMailUrl(rest.imapUrl, 'imap').server, secret: { pass: password } };
  return (await connectAccount(app, caller, { email, provider: 'smtp', smtp, settings, ...(imap ? { imap } : {}) })).id;
}

/** Creates a campaign that is due at any hour, for this many new contacts `NAME-N@example.org`; a body names its step. Returns its id. */
export async function bulkCampaign(
  app: App,
  caller: Caller,
  name: string,
  accountId: number,
  contacts: number,
  steps = 1,
): Promise<number> {
  const { id } = await createCampaign(app, caller, { name, account_id: accountId });
  await changeCampaign(app, caller, id, { sending_days: EVERY_DAY, sending_hour_start: 0, sending_hour_end: 24 });
  for (let step = 1; step <= steps; step++) {
    const content = { subject: `Hello ${step}`, body_html: `<p>This is step ${step}.</p>`, subject_b: null, body_html_b: null };
    await addStep(app, caller, id, { ...content, wait_days: 0, kind: 'email' });
  }
  await enrol(app, caller, id, { contact_ids: await insertContacts(app, name, contacts) });
  return id;
}

async function insertContacts(app: App, prefix: string, count: number): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    insert into contacts (workspace_id, name, email, custom_fields, created_by, created_at, updated_at)
    select 1, 'Ada', ${prefix}::text || '-' || i || '@example.org', '{}', 1, now(), now()
    from generate_series(1, ${count}::int) i returning id`);
  return rows.map((row) => row.id);
}
