import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import ContactImport from '../../../commands/contact/import.ts';
import SuppressionImport from '../../../commands/suppression/import.ts';
import { dueImports, runImport } from '../../../src/contacts/import-jobs/index.ts';
import { sql } from '../../../src/db/statement.ts';
import { member } from '../../support/people.ts';
import { insertContact } from '../../support/rows.ts';
import { type Ran, runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';
import { waitUntil } from '../../support/wait-until.ts';

const world = await servedInstallation();
const { app } = world;
const here = { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
const there = (key: string) => ({ OUTREACH_URL: world.url, OUTREACH_API_KEY: key });
const manager = await member(app, 'manager');

const folder = mkdtempSync(join(tmpdir(), 'outreach-import-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (text: string): string => {
  const path = join(folder, 'people.csv');
  writeFileSync(path, text);
  return path;
};

const linesOf = (path: string) => readFileSync(path, 'utf8').replaceAll('"', '').trimEnd().split('\n').sort();

const waiting = () => dueImports(app, 10);

/** Runs the command on the server, and the import as the daemon's worker would. */
async function run(args: string[], key = manager.key): Promise<Ran> {
  let isDone = false;
  const ran = runCommand(ContactImport, args, there(key)).finally(() => {
    isDone = true;
  });
  await waitUntil('the import is waiting, or refused', async () => isDone || (await waiting()).length > 0);
  for (const id of await waiting()) await runImport(app, id, new AbortController().signal);
  return ran;
}

const PEOPLE = 'Work mail,Name,Town\nada@x.example,Ada,London\nthere@x.example,T,\n@@x.example,X,\nADA@x.example,Twice,\n';

describe('contact import', () => {
  it.each([
    ['--report', '--report: PATH is the file that is read'],
    ['--rejected', '--rejected: PATH is the file that is read'],
  ])('%s with the name of the file: what is imported is never overwritten', async (flag, message) => {
    const path = file(PEOPLE);
    const { status, stderr } = await runCommand(ContactImport, [path, flag, join(folder, '.', 'people.csv'), '--dry-run'], here);
    expect(status).toBe(2);
    expect(stderr).toContain(message.replace('PATH', path));
    expect(readFileSync(path, 'utf8')).toBe(PEOPLE);
    expect((await runCommand(SuppressionImport, [path, '--rejected', path], here)).status).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe(PEOPLE);
  });

  it('--report and --rejected are two files', async () => {
    const both = join(folder, 'both.csv');
    const { stderr } = await runCommand(ContactImport, [file(PEOPLE), '--report', both, '--rejected', both, '--dry-run'], here);
    expect(stderr).toContain('is the file of --report; name another');
  });

  it('does on a server what it does on this machine', async () => {
    await insertContact(app, { email: 'there@x.example' });
    const path = file(PEOPLE);
    const [ours, theirs] = [join(folder, 'here.csv'), join(folder, 'there.csv')];
    const args = [path, '--map', 'Work mail=email', '--create-fields', '--list', 'Fair', '--dry-run'];
    const local = await runCommand(ContactImport, [...args, '--report', ours], here);
    const remote = await run([...args, '--report', theirs]);
    expect(remote).toEqual({ ...local, stdout: local.stdout.replaceAll(ours, theirs) });
    expect(linesOf(theirs)).toEqual(linesOf(ours));
    // Each dry run gives the list, which it does not keep, another id.
    const json = async (ran: Promise<Ran>) => ({ ...JSON.parse((await ran).stdout), list_id: null });
    expect(await json(run([...args, '--json']))).toEqual(await json(runCommand(ContactImport, [...args, '--json'], here)));
  });

  it('imports with the rights of the key', async () => {
    const path = file(PEOPLE);
    expect(await run([path, '--map', 'Work mail=email'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Imported 1 of 4 rows'),
    });
    const [ada] = await app.db.query(sql`select created_by from contacts where email = 'ada@x.example' and deleted_at is null`);
    expect(ada).toEqual({ created_by: manager.id });
    const viewer = await member(app, 'view_only');
    const refused = await run([path], viewer.key);
    expect(refused).toEqual({ status: 1, stdout: '', stderr: 'outreach: a view_only key can read but not change anything\n' });
    expect((await run([path, '--owner', 'admin@example.com'])).stderr).toContain('--owner: what is imported on a server');
  });

  it('D3.6: "shows the mapping and three example rows before it begins, and gives refused rows back as a CSV"', async () => {
    const people = 'Mail;Vorname;Nachname;Town;Notes\nmailto:new@x.example;Ada;King;London;x\nn/a;Bob;;;"a;b"\n;Cy;;;\nd@x.example;D;;;\n';
    const args = ['--map', 'Town=-', '--dry-run', '--rejected', join(folder, 'again.csv')];
    const local = await runCommand(ContactImport, [file(people), ...args], here);
    expect(await run([file(people), ...args])).toEqual(local);
    expect(local.stdout.split('\n')).toEqual([
      ...['Mail     → email', 'Vorname  → first name', 'Nachname → last name', 'Town     → (left out)', 'Notes    → (left out)'],
      'Line 2: Ada King <new@x.example>',
      'Line 3: refused: email: must be one email address, for example name@example.com, not "n/a"',
      'Line 4: refused: email: is empty',
      'Would import 2 of 4 rows (utf-8, columns separated by semicolons).',
      '1 cell would be cleaned up.',
      '2 rows would be rejected.',
      'Ignored columns: Notes. To import them, use --map COLUMN=FIELD or --create-fields.',
      'line 3: rejected: email: must be one email address, for example name@example.com, not "n/a"',
      'line 4: rejected: email: is empty',
      `2 rejected rows are in ${join(folder, 'again.csv')}; correct and import it.`,
      '',
    ]);
    const creates = await runCommand(ContactImport, [file(people), ...args, '--create-fields'], here);
    expect(creates.stdout).toMatch(/^Town {5}→ \(left out\)\nNotes {4}→ a new custom field$/m);
    expect(readFileSync(join(folder, 'again.csv'), 'utf8').split('\n').slice(0, 2)).toEqual([
      'Mail,Vorname,Nachname,Town,Notes,rejected because',
      'n/a,Bob,,,"a;b","email: must be one email address, for example name@example.com, not ""n/a"""',
    ]);
  });

  it('tells a reason that many rows share once, with the first of them', async () => {
    const rows = Array.from({ length: 8 }, (_, index) => `,Nobody ${index}`);
    const { stdout } = await run([file(`email,name\n${rows.join('\n')}\nn/a,Bob\n`), '--dry-run']);
    expect(stdout.split('\n').filter((text) => /^lines? /.test(text))).toEqual([
      'lines 2, 3, 4, 5, 6 and 3 more: rejected: email: is empty',
      'line 10: rejected: email: must be one email address, for example name@example.com, not "n/a"',
    ]);
    const many = await run([file(`email,name\n${rows.join('\n')}\n${rows.join('\n')}\n${rows.join('\n')}\n`), '--dry-run']);
    expect(many.stdout, 'the result has the first 20 lines').toContain(
      '\n24 rows would be rejected.\nlines 2, 3, 4, 5, 6 and more: rejected: ',
    );
  });

  it('says how many addresses have a risk, and which command says more', async () => {
    const path = file('email\ninfo@x.example\nsales@x.example\noffice@x.example\nteam@x.example\nx@mailinator.com\nann@x.example\n');
    const lines = ['1 disposable address: mailinator.com', '4 role addresses: info@, office@, sales@ …'];
    const dry = await run([path, '--dry-run']);
    expect(dry.stdout.split('\n').slice(-4)).toEqual(['Would import 6 of 6 rows (utf-8, columns separated by commas).', ...lines, '']);
    expect((await run([path, '--list', 'Fair'])).stdout.split('\n').slice(1, -1)).toEqual([
      ...['6 contacts were added to the list "Fair".', ...lines],
      'To check the addresses, run: outreach contact verify --list "Fair"',
    ]);
  });

  it('a file whose rejected rows could not be read again is refused before anything is imported', async () => {
    const path = file('email\nkept-out@x.example\n');
    truncateSync(path, 65 * 1024 * 1024);
    const ran = await runCommand(ContactImport, [path, '--rejected', join(folder, 'large-again.csv')], here);
    expect(ran).toEqual({ status: 2, stdout: '', stderr: `outreach: ${path} is larger than 64 MiB; split it\n` });
  });

  it('says why nothing was imported', async () => {
    expect(await run([file('Town\nLondon\n')])).toMatchObject({ status: 2, stderr: expect.stringMatching(/^outreach: .*column/) });
    expect(await run([join(folder, 'none.csv')])).toMatchObject({ status: 2, stderr: expect.stringContaining('none.csv') });
    const nobody = await runCommand(ContactImport, [file(PEOPLE)], { OUTREACH_URL: 'http://127.0.0.1:9', OUTREACH_API_KEY: 'ork_x' });
    expect(nobody).toMatchObject({ status: 1, stderr: expect.stringContaining('http://127.0.0.1:9 could not be reached') });
  });

  it('cancels the import when it is interrupted', async () => {
    const ran = runCommand(ContactImport, [file('email\ngone@x.example\n')], there(manager.key));
    await waitUntil('the import is waiting', async () => (await waiting()).length > 0);
    process.emit('SIGINT');
    expect(await ran).toEqual({ status: 130, stdout: '', stderr: 'outreach: interrupted: nothing was imported; run the command again\n' });
    expect(await waiting()).toEqual([]);
  });
});
