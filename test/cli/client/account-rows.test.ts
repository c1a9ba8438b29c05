import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readAccountRows } from '../../../src/cli/client/account-rows.ts';
import { blocksOf } from '../../support/docs.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-account-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the file in docs/accounts.md is read as it says', async () => {
  const [block] = blocksOf('docs/accounts.md', 'csv');
  const path = join(folder, 'mailboxes.csv');
  writeFileSync(path, block?.text ?? '');
  expect(await readAccountRows(path, ['warm'])).toEqual([
    { line: 2, email: 'anna@us.example', connection: expect.objectContaining({ smtp_password: '…', imap_password: '…' }) },
    {
      line: 3,
      email: 'ben@us.example',
      connection: expect.objectContaining({
        imap_url: 'imaps://ben%40us.example@imap.us.example',
        settings: { daily_send_limit: 40, from_name: 'Ben', tags: ['us', 'warm'] },
      }),
    },
  ]);
});

it('lines above the header are found, or skipped as many as are named', async () => {
  const path = join(folder, 'notes.csv');
  writeFileSync(path, 'Mailboxes of May\nprovider,email\ngoogle,ann@us.example\n');
  const rows = [{ line: 3, email: 'ann@us.example', connection: expect.objectContaining({ provider: 'google' }) }];
  expect(await readAccountRows(path, [])).toEqual(rows);
  expect(await readAccountRows(path, [], 1)).toEqual(rows);
  await expect(readAccountRows(path, [], 0)).rejects.toThrow('unknown column "mailboxes_of_may"');
});

it('a row without an address is told as that, and not as a repetition of another', async () => {
  const path = join(folder, 'nobody.csv');
  writeFileSync(path, 'email,provider\n,google\n,google\n');
  const error = 'there is no email address';
  expect(await readAccountRows(path, [])).toEqual([2, 3].map((line) => ({ line, email: '', error })));
});
