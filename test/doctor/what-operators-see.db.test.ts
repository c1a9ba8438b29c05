import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import { nameServers } from '../../src/core/dns.ts';
import { sql } from '../../src/db/statement.ts';
import { checkAccounts, listAccounts } from '../../src/doctor/accounts.ts';
import { checkHealth } from '../../src/doctor/health.ts';
import { MailboxPoller, missedMessages } from '../../src/inbound/index.ts';
import { BatchRunner, explainCampaign } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { poison, refuse } from '../support/hostile/deviations.ts';
import { type Deviation, type HostileImap, startHostileImap } from '../support/hostile/imap.ts';
import { type HostileSmtp, type SmtpScript, startHostileSmtp } from '../support/hostile/smtp.ts';
import { message } from '../support/inbound-mail.ts';
import { rowOf } from '../support/rows.ts';
import { giveMailbox, type Sender, startSender } from '../support/sender.ts';

/**
 * "The operator is told, in the server's words, where they look: `account show`, `campaign explain` and `doctor`." docs/troubleshooting.md lists
 * the situations; each is made here, and every phrase in backticks must be said.
 */
const installation = await testInstallation();
const { app, clock } = installation;
let poller = new MailboxPoller(app);
/** Polls as another daemon does, which has no connection yet. */
function pollAnew(accountId: number) {
  poller.close();
  poller = new MailboxPoller(app, { timings: { answerTimeout: 2 * SECOND } });
  return poller.poll(accountId);
}
afterAll(() => poller.close());

interface World {
  imap: HostileImap;
  smtp: HostileSmtp;
  sender: Sender;
}

/** Breaks a world in which the first email was sent, the follow-up is due, and the mailbox was read. */
type Fault = (world: World) => void | Promise<void>;

const imap =
  (...deviations: Deviation[]): Fault =>
  ({ imap: server }) =>
    server.deviate(...deviations);
const login = (words: string): Fault => imap(refuse('AUTHENTICATE', words), refuse('LOGIN', words));
const smtp =
  (script: SmtpScript): Fault =>
  ({ smtp: server }) =>
    server.deviate(script);
const goodbye: Deviation = ({ verb }, honest) =>
  verb === 'GREETING' ? { text: '* BYE [UNAVAILABLE] Too many connections\r\n', thenCut: true } : honest;

const FAULTS: Record<string, Fault> = {
  'IMAP is switched off': login('NO [ALERT] Your account is not enabled for IMAP use.'),
  'The provider wants a sign-in in the browser': login('NO [WEBALERT https://accounts.example/signin] Web login required.'),
  'Exchange has no mailbox for the login': imap(
    ...['LIST', 'NAMESPACE', 'EXAMINE', 'STATUS'].map((verb) => refuse(verb, 'BAD User is authenticated but not connected.')),
  ),
  'Too many connections': imap(goodbye),
  'The server asks for patience': imap(refuse('EXAMINE', 'BAD Request is throttled. Suggested Backoff Time: 1500 milliseconds')),
  'INBOX is damaged': imap(refuse('EXAMINE', "NO [CANNOT] Mailbox isn't a valid mbox file", /INBOX/i)),
  'No message is given': ({ imap: server }) => {
    server.deliver(message({ From: 'x@stranger.example', Subject: 'News' }));
    server.deviate(
      refuse('UID FETCH', 'NO [LIMIT] Account exceeded bandwidth limits'),
      refuse('FETCH', 'NO [LIMIT] Account exceeded bandwidth limits'),
    );
  },
  'One message is not given': ({ imap: server }) => {
    const uid = server.deliver(message({ From: 'x@stranger.example', Subject: 'News' }));
    server.deliver(message({ From: 'y@stranger.example', Subject: 'More' }));
    server.deviate(poison(uid, 'NO [UNAVAILABLE] Server error while fetching messages'));
  },
  'The spam folder is refused': imap(refuse('EXAMINE', 'NO [NOPERM] Permission denied', /Junk/)),
  'A folder is not there': async ({ sender }) =>
    void (await app.db.query(sql`update accounts set folders = 'Archive' where id = ${sender.accountId}`)),
  "The mailbox can't be reached": ({ imap: server }) => server.close(),
  'SMTP refuses the login': smtp({ AUTH: '535 5.7.8 Username and Password not accepted' }),
  'SMTP takes no passwords': smtp({ EHLO: '250-mx.example.net\r\n250 AUTH GSSAPI NTLM' }),
  'Microsoft has switched passwords off': smtp({
    AUTH: '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.',
  }),
  "The provider's limit is reached": smtp({ dot: '550 5.4.5 Daily user sending limit exceeded' }),
  'The server refuses to talk to us': smtp({
    greeting: '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
  }),
  'The server refuses everybody': smtp({ RCPT: '550 5.1.1 User unknown' }),
  "SMTP can't be reached": ({ smtp: server }) => server.close(),
};

/** The lines of the table: a situation, and what is said of it by `account show`, `explain` and `doctor`. */
const TABLE = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase]) => phrase);

it('docs/troubleshooting.md lists each of these situations', () => {
  expect(TABLE.map(([situation]) => situation)).toEqual(Object.keys(FAULTS));
});

describe('what an operator sees', () => {
  it.each(Object.entries(FAULTS))('%s', async (situation, fault) => {
    clock.set(TEST_START);
    const world = { imap: await startHostileImap({ folders: { Junk: '\\Junk' } }), smtp: await startHostileSmtp() } as World;
    const contacts = Array.from({ length: 4 }, (_, index) => ({ email: `${Object.keys(FAULTS).indexOf(situation)}-${index}@example.org` }));
    const sender = await startSender(installation, world.smtp, { contacts, steps: [{}, { body_html: '<p>Again</p>' }] });
    Object.assign(world, { sender });
    await giveMailbox(installation, sender.accountId, world.imap.port);
    const batches = new BatchRunner(app, { ensurePolled: (ids) => poller.ensurePolled(ids), decorate: decorateEmail, linkOf });
    await batches.run(sender.accountId);
    await pollAnew(sender.accountId);
    await fault(world);
    clock.advance(11 * MINUTE);
    await pollAnew(sender.accountId);
    await batches.run(sender.accountId);
    const shown = await rowOf<Record<string, unknown>>(app, 'accounts', sender.accountId);
    const missed = await missedMessages(app.db, sender.accountId);
    const account = (await listAccounts(app)).filter(({ id }) => id === sender.accountId);
    const { reasons, notes } = await explainCampaign(app, operator(1), sender.campaignId);
    const said = [
      JSON.stringify([shown.pause_message, shown.poll_error, shown.poll_warning, shown.connection_error, missed]).replaceAll('\\"', '"'),
      [...reasons, ...notes].join(' '),
      (await Promise.all([checkAccounts(app, account), checkHealth(app, account, nameServers(app.config.nameServers))]))
        .flat()
        .map(({ message: words }) => words)
        .join(' '),
    ];
    await Promise.all([world.imap.close(), world.smtp.close()]);
    const [, ...cells] = TABLE.find(([name]) => name === situation) ?? [];
    for (const [index, words] of said.entries()) for (const phrase of quoted(cells[index])) expect(words).toContain(phrase);
    expect(quoted(cells.slice(0, 3).join(' ')).length).toBeGreaterThan(0);
  });
});
