import { afterAll, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { testInstallation } from '../support/database.ts';
import { startHostileImap } from '../support/hostile/imap.ts';
import { reply } from '../support/inbound-mail.ts';
import { mailboxAccount, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign } from '../support/rows.ts';

const installation = await testInstallation();
const { app, caller } = installation;
const poller = new MailboxPoller(app);
afterAll(() => poller.close());

/** Rule: `explain` shows to whom replies are attributed, and why. */
it.each([
  {
    name: 'a tag',
    domain: 'one.example',
    from: 'Ada Lovelace <ada+lists@one.example>',
    note: /^1 reply .+ \(ada\+lists@one\.example\), attributed to the contact: .+ tag/,
  },
  {
    name: 'a second spelling',
    domain: 'two.example',
    from: 'Ada Lovelace <lovelace@two.example>',
    note: /attributed to the contact: .+name/,
  },
  {
    name: 'a colleague',
    domain: 'three.example',
    from: 'Bob Babbage <bob@three.example>',
    note: /attributed to a colleague of the contact: another name in the same domain/,
  },
  {
    name: 'somebody else',
    domain: 'four.example',
    from: 'Eve <eve@else.example>',
    note: /attributed to somebody we do not know: the address is unknown/,
  },
  { name: 'the address itself', domain: 'five.example', from: 'Ada Lovelace <ADA@five.example>', note: null },
])('explain names whom an answer is taken for, and why: $name', async ({ from, domain, note }) => {
  const server = await startHostileImap();
  const account = await mailboxAccount(app, server.port, `us${server.port}@example.com`);
  const campaignId = await insertCampaign(app, { account_id: account }, [{ subject: 'Hello' }, {}, {}]);
  await poller.poll(account);
  const mail = await sentMail(installation, account, { campaignId, recipient: `ada@${domain}` });
  server.deliver(reply(mail, { From: from }));
  installation.clock.advance(600_000);
  await poller.poll(account);
  const [row] = await app.db.query<{ id: number }>(sql`select id from replies where campaign_id = ${campaignId}`);
  const { notes, reasons } = await explainCampaign(app, caller, campaignId);
  const seen = [...reasons, ...notes].filter((line) => line.includes('not emailed'));
  if (note === null) expect(seen).toEqual([]);
  else {
    expect(seen).toEqual([expect.stringMatching(note)]);
    expect(seen[0]).toContain(`outreach reply show ${row?.id}`);
  }
  await server.close();
});
