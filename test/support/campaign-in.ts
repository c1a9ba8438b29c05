import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { type CampaignStatus, endEnrolments, enrol } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { insertCampaign, insertContact } from './rows.ts';

/**
 * Creates a campaign of the account with a step, in that state, and with one contact, who has received everything if the campaign is
 * completed.
 */
export async function campaignIn(app: App, account: number, status: CampaignStatus, values: object = {}): Promise<number> {
  const id = await insertCampaign(app, { account_id: account, status: status === 'completed' ? 'active' : status, ...values });
  await enrol(app, operator(1), id, { contact_ids: [await insertContact(app)] });
  if (status !== 'completed') return id;
  const rows = await app.db.query<{ id: number }>(sql`select id from enrolments where campaign_id = ${id}`);
  const ids = rows.map((row) => row.id);
  await app.db.tx((tx) => endEnrolments(tx, app, operator(1), ids, { status: 'completed' }));
  return id;
}
