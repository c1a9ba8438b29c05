import { beforeAll, expect, it } from 'vitest';
import { statementsOf } from '../../bench/recorded.ts';
import type { App } from '../../src/app.ts';
import { checkCampaign, rematchHeld } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { wantProviders } from '../../src/mail-domains/index.ts';
import { usedOn } from '../../src/sending/email/claim-limits.ts';
import { waitingInZones } from '../../src/sending/state/waiting.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign } from '../support/rows.ts';

const { app, caller, clock } = await testInstallation();
let account: number;
let campaign: number;

/** A campaign of 1,000 of 12,000 contacts, a domain each, who have all been sent an email and of whom some wait for their provider. */
beforeAll(async () => {
  account = await insertAccount(app);
  campaign = await insertCampaign(app, { account_id: account, max_per_company_per_day: 1, provider_match: 'require' }, [{}, {}]);
  const others: number[] = [];
  for (let at = 0; at < 11; at++) others.push(await insertCampaign(app, { account_id: account }, [{}]));
  await app.db.query(sql`
    with contact as (
      insert into contacts (workspace_id, name, email, created_by, created_at, updated_at)
      select 1, 'Con Tact', 'c@d' || i || '.com', 1, now(), now() from generate_series(1, 12000) i returning id
    ), enrolment as (
      insert into enrolments (workspace_id, campaign_id, contact_id, status, hold_kind, due_at, last_sent_step, created_at, updated_at)
      select 1, (${[campaign, ...others]}::int[])[1 + id % 12], id, 'active',
        case when id % 240 = 0 then 'provider' end, case when id % 240 <> 0 then now() end, 1, now(), now()
      from contact returning id, contact_id, campaign_id
    )
    insert into outbox (workspace_id, campaign_id, enrolment_id, contact_id, account_id, step_id, step_order, recipient, state,
      message_id, claimed_at, accepted_at, closed_at, counts_on, is_first)
    select 1, e.campaign_id, e.id, e.contact_id, ${account}, (select min(s.id) from steps s where s.campaign_id = e.campaign_id), 1,
      'c@d' || e.contact_id || '.com', 'accepted', e.id || '@x', now(), now(), now(), date '2026-01-01' + (e.id % 100), true from enrolment e`);
  await app.db.query(sql`insert into mail_domains (domain, provider) select 'd' || i || '.com', 'other' from generate_series(1, 12000) i`);
  await app.db.query(sql`analyze contacts, enrolments, outbox, mail_domains`);
}, 60_000);

/** The tables that grow with what is sent. */
const LARGE = /Seq Scan on (?:contacts|enrolments|outbox|events|mail_domains)\b.*/;
const fewDomains = Array.from({ length: 50 }, (_, index) => `d${index}.com`);

it.each<[string, (app: App) => Promise<unknown>]>([
  ['what a campaign has sent on a day, for its limits', (app) => usedOn(app.db, campaign, '2026-01-01')],
  ['who is held for a provider', (app) => rematchHeld(app)],
  ['which domains are to be looked up', (app) => wantProviders(app.db, fewDomains, clock.now(), { isAwaited: true })],
  ['the largest company of a campaign', (app) => checkCampaign(app, caller, campaign)],
  ['what waits in each time zone', (app) => waitingInZones(app.db, account, [campaign], clock.now(), 10)],
])('%s is read by an index', async (_, work) => {
  const statements = await statementsOf(app, work);
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of statements) {
    if (!/^\s*(?:select|with|insert|update|delete)/i.test(text)) continue;
    const { rows } = await app.db.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(LARGE);
  }
});
