import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, createWorkspace, operator } from '../../src/access/index.ts';
import { connectAccount } from '../../src/accounts/index.ts';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { textWidth } from '../../src/terminal/text-width.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import { member } from '../support/people.ts';
import type { SentMail } from '../support/polled-mailbox.ts';
import { insertList } from '../support/rows.ts';
import { giveMailbox, nextSenders, sendingInstallation, startSender } from '../support/sender.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

/*
 * A month of an operator of an agency at the terminal: three workspaces, twelve mailboxes, 2,000 contacts from the files of two programs,
 * campaigns, replies, repairs and a report for a client, each command once at 80 by 24 and once at 120 by 40. Every screen is kept as text, for a person to look at: in SCREENS, or in a folder that is named at the end.
 */
const FOLDER = process.env.SCREENS ?? mkdtempSync(join(tmpdir(), 'outreach-screens-'));
const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;
let imap: ImapServer;
const ADA = 'ada@analytical.example';

/** What a person types, in the order of the month. Those that fail are told so by their status. */
const TYPED: readonly (readonly [command: string, status?: number])[] = [
  ['help'],
  ['status'],
  ['doctor', 1],
  ['whoami'],
  ['workspace list'],
  ['workspace show'],
  ['contact import crm.csv --list Fair --dry-run'],
  ['contact import crm.csv --list Fair'],
  ['contact import outlook.csv --list Outlook'],
  ['contact import broken.csv --list Fair', 2],
  ['campaign enrol 1 --list Fair'],
  ['account list --workspace Globex'],
  ['account list --workspace Initech'],
  ['campaign show "Spring fair" --workspace Globex', 1],
  ['calendar --days 7'],
  ['report'],
  ['account list'],
  ['account show 1'],
  ['account set 1 --tracking-host links.acme.example'],
  ['campaign list'],
  ['campaign show 1'],
  ['campaign set 1 --hours 9-12,14-17 --holidays DE-BY --bcc crm@example.com'],
  ['campaign check 1'],
  [`campaign preview 1 --contact ${ADA}`],
  ['campaign explain 1'],
  ['campaign contacts 1'],
  ['campaign forecast 1 --limit 5'],
  ['campaign step list 1'],
  ['campaign tracking 1'],
  ['account health 1', 1],
  ['outbox list --limit 3'],
  ['list list'],
  ['field list'],
  ['rotation list'],
  ['campaign report 1'],
  ['contact list'],
  [`contact show ${ADA}`],
  ['reply list'],
  ['reply show 1'],
  ['reply show 2'],
  ['reply later 1 --until 2w'],
  ['reply label 1 2 interested'],
  ['suppression list'],
  ['call list'],
  ['template list'],
  ['webhook list'],
  ['user list'],
  ['key list'],
  ['history'],
  ['history show 5'],
  ['trash list'],
  ['logs --since 2020-01-01'],
  ['report share 1 --expires 30d --sender "Miller & Co"'],
  ['report links'],
  ['report revoke 1'],
  ['campaign stop 1', 2],
  ['history list', 2],
  ['key show 1', 2],
  ['campaign set 1 --hours 9-25', 2],
  ['account show nobody@example.com', 1],
];

/** The files of a CRM and of an email client, as they write them, and one that is none. */
function writeFiles(): void {
  // Some are there twice, and some are no addresses.
  const once = (index: number) => (index % 50 === 49 ? index - 1 : index);
  const crm = Array.from({ length: 1_250 }, (_, index) => {
    const customer = once(index);
    const email = index % 100 === 7 ? 'unbekannt' : ` Joerg.Mueller-${customer}@Kunde-${customer % 300}.example `;
    return `${email};Jörg;Müller ${customer};"Kunde ${customer % 300}; GmbH";"ruft zurück\r\nam Montag"`;
  });
  const outlook = Array.from(
    { length: 820 },
    (_, index) => `Núñez,José ${index},jose-${index}@cliente-${once(index)}.example,"Peña, S.A."`,
  );
  const lines = (heading: string, rows: readonly string[]) => [heading, ...rows, ''].join('\r\n');
  writeFileSync(join(FOLDER, 'crm.csv'), `\ufeff${lines('E-Mail;Vorname;Nachname;Firma;Bemerkung', crm)}`, 'utf16le');
  writeFileSync(join(FOLDER, 'outlook.csv'), lines('Last Name,First Name,E-mail Address,Company', outlook), 'latin1');
  writeFileSync(join(FOLDER, 'broken.csv'), 'Vorname;Nachname\r\nJörg;Müller\r\n');
}

beforeAll(async () => {
  writeFiles();
  const contacts = [
    { name: 'Ada Lovelace', email: ADA, company: 'Analytical Engines' },
    { name: '李小龍', email: 'li@wide.example', company: '株式会社' },
    ...Array.from({ length: 60 }, (_, index) => ({
      name: `Person ${index}`,
      email: `person-${index}@a-rather-long-domain-${index}.example`,
    })),
  ];
  const steps = [
    { subject: 'A question, {{name}}', body_html: '<p>Dear {{name}} of {{company}}</p>' },
    { wait_days: 3, subject: '' },
  ];
  imap = await startImapServer({ users: nextSenders() });
  const sender = await startSender(installation, sink, { steps, contacts, campaign: { name: 'Spring fair' } });
  await sender.batch();
  const mailbox = await giveMailbox(installation, sender.accountId, imap.port);
  const sent = await app.db.query<SentMail>(sql`
    select message_id as "messageId", recipient, enrolment_id as "enrolmentId" from outbox order by id limit 5`);
  const [ada, li, boss, gone, stop] = sent as [SentMail, SentMail, SentMail, SentMail, SentMail];
  const received = [
    reply(ada, {}, 'Thank you. Please send details. On Monday I am out, so call on Tuesday.'),
    reply(li, { From: `李小龍 <${li.recipient}>`, Subject: 'Re: 見積もりのお願い' }, '株式会社 is interested, yes.'),
    reply(boss, { From: 'The Boss <boss@a-rather-long-domain-0.example>' }, 'My colleague forwarded me this. What does it cost?'),
    bounce(gone),
    reply(stop, { From: `Person 2 <${stop.recipient}>` }, 'Please remove me from your list.'),
  ];
  for (const raw of received) await imap.append(mailbox, 'INBOX', raw);
  await new MailboxPoller(app).poll(sender.accountId);
  for (const name of ['Fair', 'Outlook']) await insertList(app, [], { name });
  const { server } = parseMailUrl(`smtp://me@127.0.0.1:${sink.port}`, 'smtp');
  const connect = (owner: Caller, email: string) =>
    connectAccount(app, owner, { email, provider: 'smtp', smtp: { server, secret: { pass: 'secret' } }, settings: {} });
  for (const name of ['ada', 'bea', 'cleo']) await connect(caller, `${name}@acme.example`);
  for (const [name, timezone] of [
    ['Globex', 'America/New_York'],
    ['Initech', 'Asia/Tokyo'],
  ] as const) {
    const workspaceId = await app.db.tx((tx) => createWorkspace(tx, app, caller, { name, timezone }));
    const { id } = await member(app, 'manager', { workspaceId });
    for (const person of ['dan', 'eve', 'fay', 'gus']) await connect(operator(workspaceId, id), `${person}@${name.toLowerCase()}.example`);
  }
  await suppressAddress(app, caller, { email: 'person-5@a-rather-long-domain-5.example', reason: 'asked on the phone' });
});
afterAll(async () => {
  await imap?.close();
  console.info(`The screens are in ${FOLDER}`);
});

const wordsOf = (command: string): string[] =>
  (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => (word.endsWith('.csv') ? join(FOLDER, word) : word.replaceAll('"', '')));

describe.runIf(hasTmux).each([
  { columns: 80, lines: 24 },
  { columns: 120, lines: 40 },
])('at $columns by $lines', (size) => {
  const folder = join(FOLDER, `${size.columns}x${size.lines}`);
  mkdirSync(folder, { recursive: true });

  it.each(TYPED.map(([command, status = 0], index) => ({ command, status, index })))('$command', async ({ command, status, index }) => {
    const terminal = openTerminal(installation, wordsOf(command), {}, size);
    try {
      const ended = await terminal.end(120);
      const screen = ended.screen.trimEnd();
      const name = `${String(index + 1).padStart(2, '0')}-${command.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 50)}`;
      writeFileSync(join(folder, `${name}.txt`), `$ outreach ${command}\n${screen}\n`);
      expect(ended.status, screen).toBe(status);
      // tmux joins the lines that the terminal has broken, inside words: there are none, but for a command or an address that is longer.
      for (const line of screen.split('\n')) {
        const words = line
          .trimEnd()
          .replace(/outreach .*/, (found) => found.replaceAll(' ', '_'))
          .split(/ +/);
        if (words.filter((word) => word !== '').length > 1) expect(textWidth(line.trimEnd()), line).toBeLessThanOrEqual(size.columns);
      }
      if (command !== 'help') expect(screen, 'wire names and JSON are for --json').not.toMatch(/^[A-Z]+_[A-Z]+|\[\{"|\["/m);
    } finally {
      terminal.close();
    }
  });
});
