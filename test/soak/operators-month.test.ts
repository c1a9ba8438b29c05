import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkspace } from '../../src/access/index.ts';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { textWidth } from '../../src/terminal/text-width.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import type { SentMail } from '../support/polled-mailbox.ts';
import { giveMailbox, nextSenders, sendingInstallation, startSender } from '../support/sender.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

/*
 * A month of an operator at the terminal: accounts, campaigns, contacts, replies and repairs, each command once at 80 by 24 and once at
 * 120 by 40. Every screen is kept as text, for a person to look at: in SCREENS, or in a folder that is named at the end.
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
  ['account list --workspace Globex'],
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
  ['campaign stop 1', 2],
  ['history list', 2],
  ['key show 1', 2],
  ['campaign set 1 --hours 9-25', 2],
  ['account show nobody@example.com', 1],
];

beforeAll(async () => {
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
  await app.db.tx((tx) => createWorkspace(tx, app, caller, { name: 'Globex', timezone: 'America/New_York' }));
  await suppressAddress(app, caller, { email: 'person-5@a-rather-long-domain-5.example', reason: 'asked on the phone' });
});
afterAll(async () => {
  await imap?.close();
  console.info(`The screens are in ${FOLDER}`);
});

describe.runIf(hasTmux).each([
  { columns: 80, lines: 24 },
  { columns: 120, lines: 40 },
])('at $columns by $lines', (size) => {
  const folder = join(FOLDER, `${size.columns}x${size.lines}`);
  mkdirSync(folder, { recursive: true });

  it.each(TYPED.map(([command, status = 0], index) => ({ command, status, index })))('$command', async ({ command, status, index }) => {
    const terminal = openTerminal(installation, command.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [], {}, size);
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
