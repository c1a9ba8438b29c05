import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { campaignSearch } from '../../src/campaigns/index.ts';
import { type ExportRequest, exportContacts } from '../../src/contacts/export/index.ts';
import { importContacts } from '../../src/contacts/import/index.ts';
import { createContact, createCustomField } from '../../src/contacts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { formulaSafe, withoutApostrophe } from '../../src/files/formula-cell.ts';
import { writeWhole } from '../../src/files/output-file.ts';
import { type Cli, cliOf, refuse, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertContact, insertList } from '../support/rows.ts';

let installation: TestInstallation;
let cli: Cli;
const folder = mkdtempSync(join(tmpdir(), 'outreach-export-'));
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
  await createCustomField(installation.app, installation.caller, { name: 'Notes', field_type: 'text' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const exported = async (request: Partial<ExportRequest> = {}) => {
  let text = '';
  await exportContacts(installation.app, installation.caller, { format: 'csv', ...request }, campaignSearch, async (pieces) => {
    for await (const piece of pieces) text += piece;
  });
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
    const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^['=+@\s-]{0,4}a?$/));
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
    await insertList(app, ids, { name: 'Filtered' });
    const lines = async (request: Partial<ExportRequest>) =>
      (await exported({ format: 'ndjson', ...request }))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    expect(await lines({ list: 'filtered' })).toEqual([
      expect.objectContaining({ id: ids[0], email: 'one@filter.example', custom_fields: {} }),
    ]);
    expect(await lines({ list: 'Filtered', search: 'archived:any' })).toHaveLength(2);
    expect(await lines({ search: 'domain:filter.example two archived:true' })).toHaveLength(1);
    await expect(exported({ list: 'Nowhere' })).rejects.toThrow('list "Nowhere" not found');
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
    const file = path('out.csv');
    expect(await succeed(cli, 'contact', 'export', '--search', 'domain:filter.example', file)).toEqual({ exported: 1, file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await cli(['contact', 'export', '--search', 'domain:filter.example'])).stdout).toBe(readFileSync(file, 'utf8'));
    expect(await refuse(cli, 2, 'contact', 'export')).toContain('requires a FILE');
    expect(await refuse(cli, 1, 'contact', 'export', '/dev/full')).toMatch(/\/dev\/full can't be written: .*ENOSPC/);
    expect(await refuse(cli, 2, 'contact', 'export', path('none/x.csv'))).toContain("can't be written");
    expect(await refuse(cli, 2, 'contact', 'export', folder)).toContain("can't be written");
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
