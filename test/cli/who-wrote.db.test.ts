import type { Command } from '@oclif/core';
import { afterAll, expect, it } from 'vitest';
import CampaignExplain from '../../commands/campaign/explain.ts';
import ContactShow from '../../commands/contact/show.ts';
import ReplyShow from '../../commands/reply/show.ts';
import { operator } from '../../src/access/index.ts';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { startImapServer } from '../support/imap-server.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, insertContact, insertEnrolment } from '../support/rows.ts';
import { runCommand } from '../support/run-command.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { servedInstallation } from '../support/served.ts';

/** "`explain` and `reply show` say for one example of each rule who was recognised as whom, and why." */

const ZOE = 'zoe@example.com';
const world = await servedInstallation();
const { app } = world;
const server = await startImapServer({ users: { [ZOE]: PASSWORD } });
afterAll(() => server.close());
const account = await mailboxAccount(app, server.port, ZOE);

const run = async (command: typeof Command, ...args: string[]): Promise<string> => {
  const { stdout, stderr } = await runCommand(command, args, {
    ...{ OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET },
  });
  expect(stderr).toBe('');
  return stdout;
};

it.each([
  ['D2.1, the address', 'ada@a.example', 'ADA@a.example', 'the contact: it comes from the address that was emailed'],
  ['D2.2, a tag', 'ada@b.example', 'ada+news@b.example', 'the contact: it comes from the mailbox that was emailed, with or without a tag'],
  ['D2.3, one name', 'ada@c.example', '"Lovelace, Ada" <q17@c.example>', 'the contact: a name in common, and the same domain'],
  ['D2.3, parts of the name', 'ada@d.example', 'alovelace@d.example', "the contact: an address made from the contact's name"],
  ['D2.3, a shared mailbox', 'office@e.example', 'Eve <eve@e.example>', 'the contact: several people read the emailed address'],
  ['D2.4, a colleague', 'ada@f.example', 'Eve <eve@f.example>', 'a colleague of the contact: another name in the same domain'],
  ['D2.4, a third', 'ada@g.example', 'Eve <eve@else.example>', 'somebody we do not know: the address is unknown'],
])('reply show, %s', async (_, recipient, from, expected) => {
  const mail = await sentMail(world, account, { recipient });
  await server.append(ZOE, 'INBOX', reply(mail, { From: from }, 'Yes, Thursday.'));
  expect(await new MailboxPoller(app).poll(account)).not.toBeNull();
  const [row] = await app.db.query<{ id: number }>(sql`select id from replies where enrolment_id = ${mail.enrolmentId}`);
  const shown = await run(ReplyShow, String(row?.id));
  expect(shown).toContain(`Written by  ${expected}`);
  expect(shown).toMatch(/^Matched by {2}its Message-ID$/m);
  expect(JSON.parse(await run(ReplyShow, String(row?.id), '--json'))).toMatchObject({ proof: 'id', writer: expect.any(String) });
  const because = expected.slice(expected.indexOf(':') + 2);
  expect(await run(ContactShow, String(mail.contactId))).toContain(`(${because}`);
});

it('reply show, an answer without an id', async () => {
  const mail = await sentMail(world, account, { recipient: 'ada@h.example' });
  await server.append(ZOE, 'INBOX', message({ From: 'ada@h.example', To: ZOE, Subject: 'Re: Hello' }, 'Yes, Thursday.'));
  expect(await new MailboxPoller(app).poll(account)).not.toBeNull();
  const [row] = await app.db.query<{ id: number }>(sql`select id from replies where enrolment_id = ${mail.enrolmentId}`);
  expect(await run(ReplyShow, String(row?.id))).toMatch(/^Matched by {2}its sender and subject$/m);
});

it('D2.2: an opt-out of one address holds for the mailbox, and contact show and explain say so', async () => {
  const campaign = await insertCampaign(app, { account_id: account }, [{ subject: 'Hello' }]);
  const contact = await insertContact(app, { email: 'ida+work@i.example', name: 'Ida' });
  await insertEnrolment(app, campaign, { contact_id: contact });
  await suppressAddress(app, operator(1), { email: 'ida@i.example', reason: 'asked on the phone' });
  expect(await run(ContactShow, String(contact))).toContain('Suppressed: ida@i.example, which is the same mailbox, since');
  expect(await run(CampaignExplain, String(campaign))).toContain('1 contact is suppressed and stopped.');
});
