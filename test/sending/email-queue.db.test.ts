import { describe, expect, it } from 'vitest';
import { type Queryable, type Sql, sql } from '../../src/db/statement.ts';
import { isEmailInFlightTo } from '../../src/outbox/index.ts';
import { countOpenEmails } from '../../src/sending/index.ts';
import { testInstallation } from '../support/database.ts';
import { insertCampaign, insertEnrolment, insertMail } from '../support/rows.ts';

describe('questions about open emails', () => {
  it('are answered from the partial indexes, however many emails are closed', async () => {
    const { app } = await testInstallation();
    const campaign = await insertCampaign(app);
    const first = await insertEnrolment(app, campaign);
    await insertMail(app, first, { state: 'transmitting', lease_until: new Date('2999-01-01') });
    await app.db.query(sql`
      with contact as (
        insert into contacts (workspace_id, name, email, created_by, created_at, updated_at)
        select 1, 'Con Tact', i || '@closed.example', 1, now(), now() from generate_series(1, 5000) i returning id
      ), enrolment as (
        insert into enrolments (workspace_id, campaign_id, contact_id, created_at, updated_at)
        select 1, ${campaign}, id, now(), now() from contact returning id, contact_id
      )
      insert into outbox (workspace_id, campaign_id, enrolment_id, contact_id, account_id, step_id, step_order, recipient, state,
        message_id, claimed_at, accepted_at, closed_at)
      select 1, ${campaign}, e.id, e.contact_id, o.account_id, o.step_id, 1, o.recipient, 'accepted', e.id || '@closed', now(), now(), now()
      from enrolment e cross join outbox o`);
    await app.db.query(sql`analyze outbox`);
    const plans: string[] = [];
    const explaining: Queryable = {
      async query<Row>(statement: Sql) {
        const rows = await app.db.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return app.db.query<Row>(statement);
      },
    };
    expect(await countOpenEmails(explaining, 'installation')).toEqual({ in_flight: 1, unknown: 0 });
    expect(await isEmailInFlightTo(explaining, [first.contactId])).toBe(true);
    expect(await isEmailInFlightTo(explaining, [first.contactId + 1])).toBe(false);
    expect(plans).toHaveLength(3);
    for (const plan of plans) {
      expect(plan).toMatch(/using outbox_(campaign_)?open on outbox/);
      expect(plan).not.toContain('Seq Scan on outbox');
    }
  });
});
