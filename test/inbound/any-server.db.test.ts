import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/clock.ts';
import { countUnreadable, MailboxPoller } from '../../src/inbound/index.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { dropAt, inFolder, leaveOut, poison, refuse, replaced, silentAt, withoutFact } from '../support/hostile/deviations.ts';
import { type HostileImap, type ImapProfile, startHostileImap } from '../support/hostile/imap.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

/**
 * "What a server leaves out, refuses, garbles or repeats costs that message or that folder, never the mailbox." INBOX is decisive: only
 * a poll that read it lets follow-ups leave (`last_polled_at`). Everything else is a warning.
 */
let installation: TestInstallation;
let poller: MailboxPoller;
let server: HostileImap;
let account = 0;
let made = 0;

beforeAll(async () => {
  installation = await testInstallation();
});
beforeEach(() => {
  installation.clock.advance(10 * MINUTE);
  poller = new MailboxPoller(installation.app, { answerWithin: 2 * SECOND, timings: { answerTimeout: SECOND } });
});
afterAll(() => poller.close());

async function connect(profile: ImapProfile = {}, values: Record<string, unknown> = {}): Promise<void> {
  server = await startHostileImap(profile);
  account = await mailboxAccount(installation.app, server.port, `zoe-${++made}@example.com`, values);
}
const sent = () => sentMail(installation, account);
const status = async (mail: SentMail) => (await rowOf<{ status: string }>(installation.app, 'enrolments', mail.enrolmentId)).status;
const row = () => rowOf<{ poll_error: string | null; poll_warning: string | null }>(installation.app, 'accounts', account);
const poll = async (after = 5 * MINUTE) => {
  installation.clock.advance(after);
  return (await poller.poll(account)) !== null;
};
const stranger = () => message({ From: 'x@stranger.example', Subject: 'News' });
const unreadable = () => countUnreadable(installation.app.db, account);
const fetches = () => server.commands.filter(({ verb, args }) => verb === 'UID FETCH' && args.includes('BODY')).length;

describe('facts that a server may leave out (RFC 3501 §6.3.1)', () => {
  it.each([
    ['UIDNEXT in EXAMINE', [withoutFact('UIDNEXT', 'EXAMINE')]],
    ['UIDNEXT everywhere', [withoutFact('UIDNEXT', 'EXAMINE', 'STATUS')]],
    ['UIDVALIDITY in EXAMINE', [withoutFact('UIDVALIDITY', 'EXAMINE')]],
    ['UIDVALIDITY everywhere', [withoutFact('UIDVALIDITY', 'EXAMINE', 'STATUS')]],
    ['EXISTS', [replaced('EXAMINE', /\* \d+ EXISTS\r\n/, '')]],
    ['FLAGS', [replaced('EXAMINE', /\* FLAGS.*?\r\n/, '')]],
    ['INTERNALDATE', [replaced('UID FETCH', / INTERNALDATE "[^"]*"/g, '')]],
    ['STATUS', [refuse('STATUS', 'BAD unknown command')]],
    ['SEARCH', [refuse('UID SEARCH', 'BAD unknown command')]],
    ['LIST of all folders', [refuse('LIST', 'BAD unknown command', /\*/), refuse('LSUB', 'BAD unknown command')]],
    ['the UID in FETCH', [replaced('UID FETCH', /UID \d+ /g, '')]],
  ])('%s: replies are read once, and polls are complete', async (_, deviations) => {
    await connect({ deviations });
    server.deliver(stranger());
    expect(await poll()).toBe(true);
    const mail = await sent();
    server.deliver(reply(mail));
    expect(await poll()).toBe(true);
    expect(await status(mail)).toBe('replied');
    const before = fetches();
    expect(await poll()).toBe(true);
    expect(fetches()).toBe(before);
    expect(await row()).toMatchObject({ poll_error: null });
    expect(await unreadable()).toBe(0);
  });
});

describe('a message that the server can’t give', () => {
  it.each([
    ['NO', (uid: number) => poison(uid, 'NO [UNAVAILABLE] FETCH Server error while fetching messages')],
    ['BAD', (uid: number) => poison(uid, 'BAD internal error')],
    ['a lost connection', dropAt],
    ['OK without it', leaveOut],
    ['silence', silentAt],
  ])('%s: the others are read at once, and it is quarantined after tries that are spread over a day', async (_, broken) => {
    await connect();
    expect(await poll()).toBe(true);
    const [before, after] = [await sent(), await sent()];
    server.deliver(reply(before));
    const uid = server.deliver(stranger());
    server.deliver(reply(after));
    server.deviate(broken(uid));
    await poll();
    expect([await status(before), await status(after)]).toEqual(['replied', 'replied']);
    expect(await poll()).toBe(true);
    expect(await unreadable()).toBe(0);
    expect(await poll(2 * HOUR)).toBe(true);
    expect(await unreadable()).toBe(0);
    for (let hour = 0; hour < 30; hour += 3) expect(await poll(3 * HOUR)).toBe(true);
    expect(await unreadable()).toBe(1);
    const asked = fetches();
    await poll(DAY);
    expect(fetches()).toBe(asked);
  });

  it('is read as soon as the server gives it', async () => {
    await connect();
    await poll();
    const mail = await sent();
    server.deliver(stranger());
    const uid = server.deliver(reply(mail));
    server.deviate(poison(uid, 'NO not now'));
    await poll();
    await poll();
    server.deviate();
    await poll(2 * HOUR);
    expect(await status(mail)).toBe('replied');
    expect(await unreadable()).toBe(0);
  });

  it('is asked for again in the same poll if the server said OK without it', async () => {
    await connect();
    await poll();
    const mail = await sent();
    server.deviate(leaveOut(server.deliver(reply(mail)), 1));
    await poll();
    expect(await status(mail)).toBe('replied');
  });

  it('has its effect by its header alone where that is all the server gives', async () => {
    await connect();
    await poll();
    const mail = await sent();
    server.deliver(stranger());
    const uid = server.deliver(reply(mail));
    const [broken] = [poison(uid, 'NO cannot convert')];
    server.deviate((command, honest) => (/HEADER/.test(command.args) ? honest : (broken?.(command, honest) ?? honest)));
    await poll();
    await poll();
    await poll();
    expect(await status(mail)).toBe('replied');
  });

  it('that Exchange could not convert counts by the sender and subject that its notice names; of a stranger it is quarantined', async () => {
    await connect();
    const mail = await sent();
    const notice = (sender: string) =>
      message(
        { From: 'Microsoft Exchange Server 2010', Subject: 'Retrieval using the IMAP4 protocol failed for the following message: 4' },
        [
          "The server couldn't retrieve the following message:",
          '',
          'Subject: "RE: Hello"',
          `From: "Ada" ("${sender}")`,
          'Sent date: 7/7/2026',
        ],
      );
    server.deliver(notice('x@stranger.example'));
    server.deliver(notice(mail.recipient));
    await poll();
    expect(await status(mail)).toBe('replied');
    expect(await unreadable()).toBe(1);
  });

  it('a folder that gives no message at all is at fault itself: the poll fails, so that follow-ups wait', async () => {
    await connect();
    server.deliver(stranger());
    expect(await poll()).toBe(true);
    const mail = await sent();
    server.deliver(reply(mail));
    server.deviate(refuse('UID FETCH', 'NO [LIMIT] too much bandwidth'));
    expect(await poll()).toBe(false);
    expect((await row()).poll_error).toContain('NO [LIMIT] too much bandwidth');
    server.deviate();
    expect(await poll()).toBe(true);
    expect(await status(mail)).toBe('replied');
  });
});

describe('a folder beside INBOX', () => {
  const folders = { Junk: '\\Junk' };
  it.each([
    ['is \\Noselect', { folders: { Junk: '\\Noselect \\Junk' } }],
    ['is \\NonExistent', { folders: { Junk: '\\NonExistent \\Junk' } }],
    ['is a container by its name', { folders: { Spam: '\\Noselect \\HasChildren' } }],
    ['can’t be opened', { folders, deviations: [refuse('EXAMINE', "NO [CANNOT] isn't a valid mbox file", /Junk/)] }],
    ['has no STATUS either', { folders, deviations: [refuse('STATUS', 'NO no', /Junk/), refuse('EXAMINE', 'NO no', /Junk/)] }],
    [
      'can’t be searched',
      { folders, deviations: [inFolder('Junk', refuse('UID SEARCH', 'NO no')), inFolder('Junk', refuse('UID FETCH', 'NO no'))] },
    ],
  ] as [string, ImapProfile][])('that %s costs a warning at most', async (_, profile) => {
    await connect(profile);
    server.deliver(stranger());
    const isRead = await poll();
    const mail = await sent();
    server.deliver(reply(mail));
    expect([isRead, await poll()]).toEqual([true, true]);
    expect(await status(mail)).toBe('replied');
    expect((await row()).poll_error).toBe(null);
  });

  it('that drops the connection costs a warning, with its name and the server’s words', async () => {
    await connect(
      { folders: { ...folders, Team: '' } },
      { folders: 'Team', smtp: JSON.stringify({ host: 'smtp.example.com', port: 465 }) },
    );
    server.deviate(({ verb, args }, honest) => (verb === 'EXAMINE' && /Junk/.test(args) ? { text: '', thenCut: true } : honest));
    const mail = await sent();
    server.deliver(reply(mail), 'Team');
    expect(await poll()).toBe(true);
    expect(await row()).toMatchObject({ poll_error: null, poll_warning: expect.stringContaining('Junk') });
    expect(await status(mail)).toBe('replied');
    const { notes } = await explainCampaign(installation.app, operator(1), mail.campaignId);
    expect(notes).toContainEqual(expect.stringMatching(/^Not all folders of zoe-\d+@example\.com are read: .*Junk/));
    server.deviate();
    expect(await poll()).toBe(true);
    expect((await row()).poll_warning).toBe(null);
  });

  it('that the server doesn’t have is told', async () => {
    await connect({ folders }, { folders: 'Archive' });
    expect(await poll()).toBe(true);
    expect((await row()).poll_warning).toMatch(/Archive.*not there|no folder.*Archive/);
  });
});

describe('no optimisation overrules a stronger fact', () => {
  it.each([
    ['HIGHESTMODSEQ never changes', [replaced('EXAMINE', /(\* 0 RECENT)/, '$1\r\n* OK [HIGHESTMODSEQ 1] x')]],
    ['UIDNEXT of STATUS never changes', [replaced('STATUS', /UIDNEXT \d+/, 'UIDNEXT 2')]],
    ['UIDNEXT never changes', [replaced('STATUS', /UIDNEXT \d+/, 'UIDNEXT 2'), replaced('EXAMINE', /UIDNEXT \d+/, 'UIDNEXT 2')]],
    [
      'all of STATUS never changes',
      [replaced('STATUS', /\(.*\)/, '(MESSAGES 1 UIDNEXT 2 UIDVALIDITY 1000)'), replaced('EXAMINE', /UIDNEXT \d+/, 'UIDNEXT 2')],
    ],
    ['EXISTS is always 0', [replaced('EXAMINE', /\d+ EXISTS/, '0 EXISTS')]],
  ])('%s: new mail is read within ten minutes', async (_, deviations) => {
    await connect({ capability: 'IMAP4rev1 UIDPLUS UNSELECT AUTH=PLAIN SASL-IR CONDSTORE ENABLE', deviations });
    server.deliver(stranger());
    await poll();
    await poll();
    const mail = await sent();
    server.deliver(reply(mail));
    await poll();
    await poll();
    expect(await status(mail)).toBe('replied');
  });
});
