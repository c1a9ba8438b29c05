import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { deleteContact, enrol } from '../../src/campaigns/index.ts';
import { importContacts } from '../../src/contacts/import/index.ts';
import { changeContact, createContact } from '../../src/contacts/index.ts';
import { DAY, HOUR } from '../../src/core/clock.ts';
import { emailsToAddress } from '../../src/outbox/index.ts';
import { BatchRunner } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { giveMailbox, sendingInstallation, startSender } from '../support/sender.ts';

/** "An address that was emailed by a campaign is not emailed by it again; `contact import` says so." */

const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;
const folder = mkdtempSync(join(tmpdir(), 'outreach-emailed-before-'));
afterAll(() => rmSync(folder, { recursive: true }));
const recipients = () => sink.messages.map(({ to }) => to[0]);

it('a contact who is deleted and made again is not enrolled where the address was emailed, and elsewhere is', async () => {
  const { batch, campaignId, contactIds } = await startSender(installation, sink, { contacts: [{ email: 'again@bücher.example' }] });
  await batch();
  await deleteContact(app, caller, contactIds[0] ?? 0);
  const again = await createContact(app, caller, { email: 'Again@xn--bcher-kva.example' });
  expect(await enrol(app, caller, campaignId, { contact_ids: [again.id] }, { details: true })).toEqual({
    enrolled: 0,
    skipped: [{ contact_id: again.id, reason: 'emailed_before' }],
  });
  installation.clock.advance(HOUR);
  await batch();
  expect(recipients()).toHaveLength(1);
  const other = await startSender(installation, sink);
  expect(await enrol(app, caller, other.campaignId, { contact_ids: [again.id] })).toEqual({ enrolled: 1 });
});

it('one who was deleted before the first email is enrolled', async () => {
  const { campaignId, contactIds } = await startSender(installation, sink, { contacts: [{ email: 'early@corp.example' }] });
  await deleteContact(app, caller, contactIds[0] ?? 0);
  const again = await createContact(app, caller, { email: 'early@corp.example' });
  expect(await enrol(app, caller, campaignId, { contact_ids: [again.id] })).toEqual({ enrolled: 1 });
});

it('so is whoever has got the address of somebody who was emailed and has another one now: not emailed by that campaign', async () => {
  const { batch, campaignId, contactIds } = await startSender(installation, sink, { contacts: [{ email: 'desk@corp.example' }] });
  await batch();
  await changeContact(app, caller, contactIds[0] ?? 0, { email: 'moved@corp.example' });
  const next = await createContact(app, caller, { email: 'desk@corp.example' });
  expect(await enrol(app, caller, campaignId, { contact_ids: [next.id] })).toEqual({ enrolled: 0 });
});

it('an import names the campaigns that emailed an address before', async () => {
  const { batch, campaignId, contactIds } = await startSender(installation, sink, { contacts: [{ email: 'back@corp.example' }] });
  await batch();
  await deleteContact(app, caller, contactIds[0] ?? 0);
  const [path, report] = [join(folder, 'people.csv'), join(folder, 'report.csv')];
  writeFileSync(path, 'email\nBack@corp.example\nnew@corp.example\n');
  expect(await importContacts(app, caller, { path, report, emailsToAddress })).toMatchObject({ imported: 2, emailed_before: 1 });
  expect(readFileSync(report, 'utf8')).toContain(
    `2,Back@corp.example,emailed_before,"emailed before as another contact; not emailed again by campaign ${campaignId}"\n`,
  );
});

it('"the permit compares them and the email is prepared anew": an address that is changed while an email is claimed', async () => {
  const steps = [{}, { wait_days: 1 }];
  const { accountId, batch, contactIds } = await startSender(installation, sink, { steps, contacts: [{ email: 'mistyped@corp.example' }] });
  await giveMailbox(installation, accountId, 1);
  await batch();
  installation.clock.advance(DAY);
  // Runs between the claim and the permit.
  const ensurePolled = async () => {
    await changeContact(app, caller, contactIds[0] ?? 0, { email: 'corrected@corp.example' });
    return [];
  };
  expect(await new BatchRunner(app, { ensurePolled, decorate: decorateEmail, linkOf }).run(accountId)).toMatchObject({ sent: 0 });
  installation.clock.advance(HOUR);
  await batch();
  expect(recipients()).toEqual(['mistyped@corp.example', 'corrected@corp.example']);
});

it('"A follow-up": after the address was replaced, it opens a thread of its own', async () => {
  const steps = [{ subject: 'Hello' }, { wait_days: 1 }, { wait_days: 1 }];
  const { batch, contactIds } = await startSender(installation, sink, { steps, contacts: [{ email: 'wrong@corp.example' }] });
  await batch();
  await changeContact(app, caller, contactIds[0] ?? 0, { email: 'right@other.example' });
  for (let day = 0; day < 2; day++) {
    installation.clock.advance(DAY);
    await batch();
  }
  const header = (name: string) => sink.messages.map(({ headers }) => headers.get(name));
  expect(recipients()).toEqual(['wrong@corp.example', 'right@other.example', 'right@other.example']);
  expect(header('subject')).toEqual(['Hello', 'Hello', 'Re: Hello']);
  expect(header('in-reply-to')).toEqual([undefined, undefined, header('message-id')[1]]);
});
