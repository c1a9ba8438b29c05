import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import { type Cli, cliOf, refuse, succeed } from '../support/cli.ts';
import { testInstallation } from '../support/database.ts';
import { eventOf, insertCampaign, insertEnrolment, insertLoggedEnrolment, insertMail, insertRow } from '../support/rows.ts';

let app: App;
let cli: Cli;

beforeAll(async () => {
  const installation = await testInstallation();
  app = installation.app;
  cli = cliOf(installation);
});

describe('outreach stats recount', () => {
  it('finds nothing where nobody wrote by hand, and puts right what somebody did', async () => {
    const who = await insertLoggedEnrolment(app, await insertCampaign(app));
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, who, 'sent'), eventOf(app, who, 'replied')]));
    expect(await succeed(cli, 'stats', 'recount')).toEqual({ corrections: [] });
    await app.db.query(sql`update event_totals set contacts = 7 where campaign_id = ${who.campaignId} and counts_as = 'replied'`);
    expect(await succeed(cli, 'stats', 'recount')).toEqual({
      corrections: [{ campaign_id: who.campaignId, rows: 1 }],
    });
    expect((await cli(['stats', 'recount'])).stdout).toBe('All totals are right.\n');
  });
});

describe('outreach campaign tracking', () => {
  it('tells people from machines', async () => {
    const who = await insertEnrolment(app, await insertCampaign(app));
    const mail = await insertMail(app, who);
    for (const machine of [null, 'scanner', 'scanner'])
      await insertRow(app, 'tracking_hits', { workspace_id: 1, outbox_id: mail, kind: 'opened', machine, at: app.clock.now() });
    const last_at = '2026-07-07 12:00:00';
    expect(await succeed(cli, 'campaign', 'tracking', String(who.campaignId))).toEqual({
      data: [
        { kind: 'opened', by: 'scanner', hits: 2, contacts: 1, last_at },
        { kind: 'opened', by: 'person', hits: 1, contacts: 1, last_at },
      ],
    });
    expect(await refuse(cli, 1, 'campaign', 'tracking', '99')).toContain('campaign 99 not found');
  });
});
