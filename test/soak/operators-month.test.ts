import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { textWidth } from '../../src/terminal/text-width.ts';
import { insertReply } from '../support/rows.ts';
import { sendingInstallation, startSender } from '../support/sender.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

/*
 * A month of an operator at the terminal: accounts, campaigns, contacts, replies and repairs, each command once at 80 by 24 and once at
 * 120 by 40. Every screen is kept as text, for a person to look at: in SCREENS, or in a folder that is named at the end.
 */
const FOLDER = process.env.SCREENS ?? mkdtempSync(join(tmpdir(), 'outreach-screens-'));
const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;
const ADA = 'ada@analytical.example';

/** What a person types, in the order of the month. Those that fail are told so by their status. */
const TYPED: readonly (readonly [command: string, status?: number])[] = [
  ['help'],
  ['status'],
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
  ['campaign report 1'],
  ['contact list'],
  [`contact show ${ADA}`],
  ['reply list'],
  ['reply show 1'],
  ['reply later 1 --until 2w'],
  ['reply label 1 2 interested'],
  ['suppression list'],
  ['call list'],
  ['template list'],
  ['webhook list'],
  ['user list'],
  ['key list'],
  ['history'],
  ['trash list'],
  ['logs --since 2020-01-01'],
  ['campaign stop 1', 2],
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
  const steps = [{ subject: 'A question, {{name}}', body_html: '<p>Dear {{name}} of {{company}}</p>' }, { wait_days: 3 }];
  const sender = await startSender(installation, sink, { steps, contacts });
  await sender.batch();
  const enrolments = await app.db.query<{ id: number; contactId: number }>(sql`
    select id, contact_id as "contactId" from enrolments order by id limit 2`);
  const snippet = 'My colleague forwarded me this. Please send details. On Monday I am out, so call on Tuesday.';
  for (const { id, contactId } of enrolments)
    await insertReply(app, { id, contactId, campaignId: sender.campaignId } as never, { own_text: snippet, full_text: snippet });
  await suppressAddress(app, caller, { email: 'person-5@a-rather-long-domain-5.example', reason: 'asked on the phone' });
});
afterAll(() => console.info(`The screens are in ${FOLDER}`));

describe.runIf(hasTmux).each([
  { columns: 80, lines: 24 },
  { columns: 120, lines: 40 },
])('at $columns by $lines', (size) => {
  const folder = join(FOLDER, `${size.columns}x${size.lines}`);
  mkdirSync(folder, { recursive: true });

  it.each(TYPED.map(([command, status = 0], index) => ({ command, status, index })))('$command', async ({ command, status, index }) => {
    const terminal = openTerminal(installation, command.split(' '), {}, size);
    try {
      const ended = await terminal.end(120);
      const screen = ended.screen.trimEnd();
      const name = `${String(index + 1).padStart(2, '0')}-${command.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 50)}`;
      writeFileSync(join(folder, `${name}.txt`), `$ outreach ${command}\n${screen}\n`);
      expect(ended.status, screen).toBe(status);
      // A table is as wide as the terminal; only prose wraps.
      const [heading = ''] = screen.split('\n');
      if (/^[A-Z]+ {2}/.test(heading)) expect(textWidth(heading.trimEnd())).toBeLessThanOrEqual(size.columns);
      if (command !== 'help') expect(screen, 'wire names and JSON are for --json').not.toMatch(/^[A-Z]+_[A-Z]+|\[\{"|\["/m);
    } finally {
      terminal.close();
    }
  });
});
