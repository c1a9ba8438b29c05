import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ContactExport from '../../commands/contact/export.ts';
import { campaignSearch } from '../../src/campaigns/index.ts';
import { type ExportRequest, exportContacts } from '../../src/contacts/export/index.ts';
import { importContacts } from '../../src/contacts/import/index.ts';
import { createContact, createCustomField } from '../../src/contacts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { formulaSafe, withoutApostrophe } from '../../src/files/formula-cell.ts';
import { writeWhole } from '../../src/files/output-file.ts';
import { anyText } from '../support/any-text.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertContact, insertList } from '../support/rows.ts';
import { runCommand } from '../support/run-command.ts';
import { TEST_SECRET } from '../support/secret.ts';

let installation: TestInstallation;
const folder = mkdtempSync(join(tmpdir(), 'outreach-export-'));
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  installation = await testInstallation();
  await createCustomField(installation.app, installation.caller, { name: 'Notes', field_type: 'text' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const exported = async (request: Partial<ExportRequest> = {}) => {
  const pieces = await exportContacts(installation.app, installation.caller, { format: 'csv', ...request }, campaignSearch);
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};

describe('cells', () => {
  it.each([
    '=1+1',
    '+49 30',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '  =1',
    '＝1',
    "'=1",
    "''=x",
    '\u200b=1',
    '\ufeff=1',
    '\u00ad\u2060@x',
    '\u0000=1',
    '\u3164=1',
    '\u{e0001}=1',
    " \u200d'=1",
  ])('%j can not be computed', (text) => {
    expect(formulaSafe(text)).toBe(`'${text}`);
  });

  it('what an import reads is what an export wrote', () => {
    const cell = fc.oneof(anyText(), fc.stringMatching(/^['=+@\s-]{0,4}a?$/));
    fc.assert(
      fc.property(cell, (text) => withoutApostrophe(formulaSafe(text)) === text),
      { numRuns: 5_000 },
    );
  });
});

describe('contact export', () => {
  const values = ['=cmd|x', '-1 "quoted", and; more', 'line\r\nbreak', "'=kept", "it's", ' padded ', '\u{1F600}'];

  it('importing an export gives the same values back', async () => {
    const { app, caller } = installation;
    for (const [index, notes] of values.entries())
      await createContact(app, caller, { email: `round${index}@example.com`, name: '+Ada', company: '@Firm', custom_fields: { notes } });
    const before = await exported({ search: 'email:round*' });
    for (const row of parse(before, { columns: true }) as Record<string, string>[])
      for (const cell of Object.values(row)) expect(cell).not.toMatch(/^\s*[=+\-@]|^[\t\r]/);
    writeFileSync(path('round.csv'), before);
    await app.db.query(sql`update contacts set deleted_at = ${app.clock.now()}`);
    expect(await importContacts(app, caller, { path: path('round.csv') })).toMatchObject({
      imported: values.length,
      rejected: 0,
      ignored_columns: [],
    });
    const found = await app.db.query<Record<string, unknown>>(sql`
      select name, company, custom_fields->>'notes' as notes from contacts where deleted_at is null order by email`);
    expect(found).toEqual(values.map((notes) => ({ name: '+Ada', company: '@Firm', notes })));
  });

  it('filters by search and by list; JSON lines are as the API shows contacts', async () => {
    const { app } = installation;
    const ids = [
      await insertContact(app, { email: 'one@filter.example' }),
      await insertContact(app, { email: 'two@filter.example', is_archived: true }),
    ];
    const listId = await insertList(app, ids, { name: 'Filtered' });
    const lines = async (request: Partial<ExportRequest>) =>
      (await exported({ format: 'ndjson', ...request }))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    expect(await lines({ listId })).toEqual([expect.objectContaining({ id: ids[0], email: 'one@filter.example', custom_fields: {} })]);
    expect(await lines({ listId, search: 'archived:any' })).toHaveLength(2);
    expect(await lines({ search: 'domain:filter.example two archived:true' })).toHaveLength(1);
    expect(await lines({ listId: 2_000_000_000 })).toEqual([]);
    await expect(exported({ search: 'foo:bar' })).rejects.toThrow('unknown field "foo"');
  });

  it('more rows than one batch arrive once each, by id', async () => {
    const { app, clock } = installation;
    await app.db.query(sql`insert into contacts (workspace_id, email, created_at, updated_at)
      select 1, i || '@batch.example', ${clock.now()}, ${clock.now()} from generate_series(1, 2500) i`);
    const rows = parse(await exported({ search: 'domain:batch.example' }), { columns: true }) as { id: string }[];
    const ids = rows.map(({ id }) => Number(id));
    expect(ids).toHaveLength(2_500);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('the command writes a file that only its owner reads, or to stdout', async () => {
    const run = (...args: string[]) =>
      runCommand(ContactExport, args, {
        OUTREACH_DATA_DIR: installation.dataDir,
        DATABASE_URL: installation.databaseUrl,
        OUTREACH_SECRET_KEY: TEST_SECRET,
      });
    const file = path('out.csv');
    const written = await run('--search', 'domain:filter.example', file, '--json');
    expect(JSON.parse(written.stdout)).toEqual({ exported: 1, file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run('--search', 'domain:filter.example')).stdout).toBe(readFileSync(file, 'utf8'));
    const refused = async (...args: string[]) => (await run(...args)).stderr;
    expect(await refused('--json')).toContain('requires a FILE');
    expect(await refused('--list', 'Nowhere')).toContain('list "Nowhere" not found');
    expect(await refused('/dev/full')).toMatch(/\/dev\/full can't be written: .*ENOSPC/);
    expect(await refused(path('none/x.csv'))).toContain("can't be written");
    expect(await refused(folder)).toContain("can't be written");
  });

  it('what is interrupted leaves the old file as it was and nothing beside it', async () => {
    const file = path('old.csv');
    writeFileSync(file, 'old');
    const failing = (async function* () {
      yield 'new';
      throw new Error('cut');
    })();
    await expect(writeWhole(file, failing)).rejects.toThrow('cut');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  });
});
