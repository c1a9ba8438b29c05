import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { afterAll, describe, expect, it } from 'vitest';
import ContactArchive from '../../../commands/contact/archive.ts';
import ContactCreate from '../../../commands/contact/create.ts';
import ContactDelete from '../../../commands/contact/delete.ts';
import ContactImport from '../../../commands/contact/import.ts';
import ContactList from '../../../commands/contact/list.ts';
import ContactMerge from '../../../commands/contact/merge.ts';
import ContactSearch from '../../../commands/contact/search.ts';
import ContactSet from '../../../commands/contact/set.ts';
import ContactShow from '../../../commands/contact/show.ts';
import ContactUnarchive from '../../../commands/contact/unarchive.ts';
import FieldCreate from '../../../commands/field/create.ts';
import FieldDelete from '../../../commands/field/delete.ts';
import FieldList from '../../../commands/field/list.ts';
import History from '../../../commands/history/index.ts';
import HistoryShow from '../../../commands/history/show.ts';
import ListAdd from '../../../commands/list/add.ts';
import ListCreate from '../../../commands/list/create.ts';
import ListDelete from '../../../commands/list/delete.ts';
import ListList from '../../../commands/list/list.ts';
import ListRemove from '../../../commands/list/remove.ts';
import ListRename from '../../../commands/list/rename.ts';
import Status from '../../../commands/status.ts';
import SuppressionAdd from '../../../commands/suppression/add.ts';
import SuppressionExport from '../../../commands/suppression/export.ts';
import SuppressionImport from '../../../commands/suppression/import.ts';
import SuppressionList from '../../../commands/suppression/list.ts';
import SuppressionRemove from '../../../commands/suppression/remove.ts';
import TemplateArchive from '../../../commands/template/archive.ts';
import TemplateCreate from '../../../commands/template/create.ts';
import TemplateDelete from '../../../commands/template/delete.ts';
import TemplateList from '../../../commands/template/list.ts';
import TemplateSet from '../../../commands/template/set.ts';
import TemplateShow from '../../../commands/template/show.ts';
import TemplateUnarchive from '../../../commands/template/unarchive.ts';
import TrashRestore from '../../../commands/trash/restore.ts';
import WorkspaceArchive from '../../../commands/workspace/archive.ts';
import WorkspaceCreate from '../../../commands/workspace/create.ts';
import { member } from '../../support/people.ts';
import { insertContact } from '../../support/rows.ts';
import { runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-data-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));
const TEXT = join(folder, 'body.txt');
writeFileSync(TEXT, 'Dear {{name}},\n\nBest & kind\n');
const HTML = join(folder, 'body.html');
writeFileSync(HTML, '<p>Zoe</p>');

const world = await servedInstallation();
const here = { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
const there = (key: string) => ({ OUTREACH_URL: world.url, OUTREACH_API_KEY: key });

const PLAIN = join(folder, 'plain.txt');
writeFileSync(PLAIN, 'Ann <one@plain.example>\n\n@plain.example\nbare.example\n');
const TABLE = join(folder, 'table.csv');
writeFileSync(TABLE, "name;Reason;Domain\nx;asked;table.example\ny;;'@TABLE.example\n");

/** Sequences of commands. NAME is replaced with a name of their own; each has its expected status and first line, without digits. */
const LIVES: Record<string, readonly (readonly [command: typeof Command, args: readonly string[], firstLine: string])[]> = {
  'a template': [
    [TemplateCreate, ['NAME', '--subject', 'Hello', '--text-file', TEXT], '0 Template # "NAME" was created.'],
    [TemplateCreate, ['NAME two', '--type', 'signature', '--body-file', HTML, '--json'], '0 {'],
    [TemplateCreate, ['NAME', '--subject', 'Hello'], '2 outreach: the template needs a body; pass --body-file or --text-file'],
    [TemplateShow, ['NAME', '--json'], '0 {'],
    [TemplateShow, ['NAME'], '0 NAME (template #)'],
    [TemplateSet, ['NAME', '--name', 'NAME new', '--subject', 'none', '--shared', 'true'], '0 NAME new (template #)'],
    [TemplateSet, ['NAME new'], '2 outreach: nothing to change; see: outreach template set --help'],
    [TemplateArchive, ['NAME new'], '0 Template # "NAME new" is archived.'],
    [TemplateList, ['--archived', '--columns', 'name,type', '--csv'], '0 name,type'],
    [TemplateUnarchive, ['NAME new'], '0 Template # "NAME new" was unarchived.'],
    [TemplateShow, ['NAME neww'], '1 outreach: template "NAME neww" not found; did you mean "NAME new" (#)?'],
    [
      TemplateDelete,
      ['NAME new'],
      '1 outreach: there is no terminal to ask at, so nothing was deleted; pass --yes to agree: Delete template # "NAME new"?',
    ],
    [TemplateDelete, ['NAME new', '--yes'], '0 Template # was deleted; to undo, run: outreach trash restore templates #'],
    [TemplateDelete, ['NAME two', '--yes', '--json'], '0 {'],
  ],
  'suppressed addresses and domains': [
    [SuppressionAdd, ['one@NAME.example', '@NAME.org', '--reason', 'by phone'], '0 one@NAME.example is suppressed.'],
    [
      SuppressionAdd,
      ['NAME.example'],
      '2 outreach: email: must be one email address such as name@example.com, or a domain such as @example.com',
    ],
    [SuppressionList, ['--csv', '--columns', 'email,reason'], '0 email,reason'],
    [SuppressionExport, [], '0 email,reason,created_at'],
    [SuppressionExport, [join(folder, 'NAME.csv')], '0 Wrote # suppressions to FOLDER/NAME.csv.'],
    [SuppressionImport, [join(folder, 'NAME.csv'), '--json'], '0 {'],
    [SuppressionImport, [PLAIN], '1 Suppressed # new entries; # were suppressed already.'],
    [SuppressionImport, [TABLE], '0 Suppressed # new entry; # were suppressed already.'],
    [
      SuppressionImport,
      [TEXT],
      '2 outreach: FOLDER/body.txt: no column is recognised as the address; name it email in the first line, or use --skip-lines if there are lines above it',
    ],
    [
      SuppressionRemove,
      ['one@plain.example'],
      '0 one@plain.example is no longer suppressed here, but is still not emailed, because of its domain, another workspace or an erasure.',
    ],
    [
      SuppressionRemove,
      ['one@NAME.example', '@NAME.org', '@plain.example', '@table.example'],
      '0 one@NAME.example is no longer suppressed here.',
    ],
    [SuppressionRemove, ['one@NAME.example'], '1 outreach: suppression "one@NAME.example" not found; see: outreach suppression list'],
  ],
  'a field': [
    [FieldCreate, ['NAME size', '--type', 'number'], '0 Field # "NAME size" was created; its placeholder is {{NAME_size}}.'],
    [
      FieldCreate,
      ['NAME SIZE'],
      '1 outreach: there is no terminal to ask at, so no field was created; pass --yes to agree: A field named "NAME size" exists; its placeholder is {{NAME_size}}. Create another?',
    ],
    [FieldCreate, ['NAME SIZE', '--yes'], '0 Field # "NAME SIZE" was created; its placeholder is {{NAME_size_#}}.'],
    [FieldDelete, ['NAME_size_2', '--yes'], '0 Field # was deleted; to undo, run: outreach trash restore custom-fields #'],
    [FieldList, ['--csv', '--columns', 'key,name,field_type'], '0 key,name,field_type'],
    [
      FieldDelete,
      ['NAME_size'],
      '1 outreach: there is no terminal to ask at, so nothing was deleted; pass --yes to agree: Delete field # (NAME_size) and hide its values?',
    ],
    [FieldDelete, ['NAME Size', '--yes'], '0 Field # was deleted; to undo, run: outreach trash restore custom-fields #'],
    [FieldDelete, ['NAME_size', '--yes'], '1 outreach: field "NAME_size" not found; see: outreach field list'],
  ],
  'a list and its contacts': [
    [FieldCreate, ['NAME city'], '0 Field # "NAME city" was created; its placeholder is {{NAME_city}}.'],
    [ListCreate, ['NAME fair'], '0 List # "NAME fair" was created.'],
    [
      ContactCreate,
      ['one@NAME.example', '--name', 'Ada', '--company', 'Engines', '--field', 'NAME_city=Rome', '--list', 'NAME fair'],
      '0 Contact # one@NAME.example was created.',
    ],
    [ContactCreate, ['one@NAME.example'], '1 outreach: email: a contact with the address one@NAME.example already exists'],
    [
      ContactCreate,
      ['two@NAME.example', '--field', 'NAME_city', '--json'],
      '2 outreach: --field: must be KEY=VALUE, for example city=Berlin, not "NAME_city"',
    ],
    [ContactCreate, ['two@NAME.example', '--shared', 'true', '--json'], '0 {'],
    [
      ContactSet,
      ['ONE@NAME.example', '--company', 'none', '--field', 'NAME_city=', '--email', 'uno@NAME.example'],
      '0 Ada <uno@NAME.example> (contact #) was changed.',
    ],
    [ContactSet, ['uno@NAME.example', '--field', 'NAME_cty=1'], '2 outreach: --field: unknown key "NAME_cty" (did you mean NAME_city?)'],
    [ContactSet, ['uno@NAME.example', '--field', 'NAME_nothing=1'], '2 outreach: --field: unknown key "NAME_nothing"'],
    [ContactSet, ['uno@NAME.example'], '2 outreach: nothing to change; see: outreach contact set --help'],
    [ContactShow, ['uno@NAME.example', '--json'], '0 {'],
    [ContactShow, ['nobody@NAME.example'], '1 outreach: contact "nobody@NAME.example" not found; see: outreach contact list'],
    [ListAdd, ['NAME fair', 'uno@NAME.example', 'two@NAME.example'], '0 # contact was added to list #; # skipped.'],
    [ListAdd, ['NAME fair', '--search', 'domain:NAME.example', '--json'], '0 {'],
    [ListAdd, ['NAME fair'], '2 outreach: name the contacts, or pass --search QUERY'],
    [ListRename, ['NAME fair', 'NAME visitors'], '0 List # is now named "NAME visitors".'],
    [ContactList, ['--list', 'NAME visitors', '--csv', '--columns', 'email,name'], '0 email,name'],
    [ContactList, ['--contains', 'uno@NAME', '--limit', '1'], '0 ID NAME EMAIL COMPANY CREATED (UTC)'],
    [ContactSearch, ['domain:NAME.example -name:ada', '--csv', '--columns', 'email'], '0 email'],
    [ContactSearch, ['(ada'], '2 outreach: unbalanced parenthesis at position #'],
    [ListRemove, ['NAME visitors', 'two@NAME.example'], '0 two@NAME.example was removed from list #.'],
    [ListRemove, ['NAME visitors', 'two@NAME.example'], '1 outreach: contact # is not on the list'],
    [ContactArchive, ['two@NAME.example'], '0 Contact # two@NAME.example is archived.'],
    [ContactUnarchive, ['two@NAME.example'], '0 Contact # two@NAME.example was unarchived.'],
    [
      ContactDelete,
      ['two@NAME.example'],
      '1 outreach: there is no terminal to ask at, so nothing was deleted; pass --yes to agree: Delete contact # two@NAME.example?',
    ],
    [ContactDelete, ['two@NAME.example', '--yes'], '0 Contact # was deleted; to undo, run: outreach trash restore contacts #'],
    [ContactCreate, ['uno+x@NAME.example'], '0 Contact # uno+x@NAME.example was created.'],
    [
      ContactMerge,
      ['uno@NAME.example', 'uno+x@NAME.example'],
      '1 outreach: there is no terminal to ask at, so nothing was merged; pass --yes to agree: Merge contact # uno+x@NAME.example into contact # uno@NAME.example? This cannot be undone.',
    ],
    [
      ContactMerge,
      ['uno@NAME.example', 'uno+x@NAME.example', '--yes'],
      '0 Contact # uno+x@NAME.example was merged into contact # uno@NAME.example.',
    ],
    [ListList, ['--all', '--csv', '--columns', 'name,contact_count'], '0 name,contact_count'],
    [ListDelete, ['NAME visitors', '--yes'], '0 List # was deleted; to undo, run: outreach trash restore lists #'],
    [FieldDelete, ['NAME city', '--yes'], '0 Field # was deleted; to undo, run: outreach trash restore custom-fields #'],
    [ContactDelete, ['uno@NAME.example', '--yes'], '0 Contact # was deleted; to undo, run: outreach trash restore contacts #'],
  ],
};

/** Runs a sequence, and returns the status and output of each command without the name, ids and times. */
async function live(env: Record<string, string>, life: (typeof LIVES)[string], name: string): Promise<string[]> {
  const said: string[] = [];
  for (const [command, args] of life) {
    const own = args.map((word) => word.replaceAll('NAME', name));
    const { status, stdout, stderr } = await runCommand(command, own, env);
    const text = `${stdout}${stderr}`.replaceAll(folder, 'FOLDER').replaceAll(new RegExp(name, 'gi'), 'NAME');
    said.push(`${status} ${text.replaceAll(/\d+/g, '#').replaceAll(/ +/g, ' ').trim()}`);
  }
  return said;
}

describe('the life of', () => {
  it.each(
    Object.entries(LIVES),
  )('%s is the same on this machine as over HTTP for a manager; view_only changes nothing', async (_, life) => {
    const [manager, reader] = [await member(world.app, 'manager'), await member(world.app, 'view_only')];
    const local = await live(here, life, 'zig');
    expect(await live(there(manager.key), life, 'zag')).toEqual(local);
    expect(local.map((text) => text.split('\n')[0])).toEqual(life.map(([, , firstLine]) => firstLine));
    const refused = await live(there(reader.key), life.slice(0, 1), 'zog');
    expect(refused).toEqual(['1 outreach: a view_only key can read but not change anything']);
  });
});

it('a contact is found by the address among any number whose addresses end in it, and archived', async () => {
  for (let index = 0; index < 200; index++) await insertContact(world.app, { email: `${index}.a@busy.example` });
  const id = await insertContact(world.app, { email: 'a@busy.example', is_archived: true });
  const { status, stdout } = await runCommand(ContactShow, ['A@Busy.example', '--json'], here);
  expect({ status, id: JSON.parse(stdout).id }).toEqual({ status: 0, id });
});

describe('a command that a message tells to run works where this one did', () => {
  it('on the server that was named', async () => {
    const { stderr } = await runCommand(ContactShow, ['nobody@x.example', '--url', world.url, '--key', world.adminKey], {});
    expect(stderr).toBe(`outreach: contact "nobody@x.example" not found; see: outreach contact list --url ${world.url}\n`);
  });

  it('on the installation that was named, also of commands of its machine', async () => {
    const { stderr } = await runCommand(WorkspaceArchive, ['Nowhere', '--data-dir', world.dataDir], here);
    expect(stderr).toBe(`outreach: workspace "Nowhere" not found; see: outreach workspace list --data-dir ${world.dataDir}\n`);
    const created = await runCommand(WorkspaceCreate, ['Acme', '--data-dir', world.dataDir], here);
    expect(created.stdout).toMatch(`--workspace Acme --data-dir ${world.dataDir}\n`);
    const { stdout } = await runCommand(Status, ['--data-dir', world.dataDir], here);
    expect(stdout).toMatch(`start it with: outreach start --data-dir ${world.dataDir}\n`);
  });
});

it('D3.6: importing suppressions "shows the mapping and three example rows before it begins, and gives refused rows back as a CSV"', async () => {
  const file = join(folder, 'opted-out.csv');
  writeFileSync(file, 'Address;Grund;Von\nmailto:s1@d36.example;asked;x\n@s2.d36.example;;x\nn/a;asked\ns3.d36.example;"a;b";x\n');
  const again = join(folder, 'again.csv');
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  const { status, stdout } = await runCommand(SuppressionImport, [file, '--rejected', again], here).finally(() => {
    process.stdout.isTTY = isTTY;
  });
  expect(status).toBe(1);
  expect(stdout.split('\n').slice(0, 7)).toEqual([
    ...['Address → address', 'Grund   → reason', 'Von     → (left out)'],
    ...['Line 2: s1@d36.example, asked', 'Line 3: @s2.d36.example', 'Line 4: n/a, asked'],
    'Suppressed 2 new entries; 0 were suppressed already.',
  ]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`2 rejected rows are in ${again}; correct and import it.`);
  expect(readFileSync(again, 'utf8').split('\n')).toEqual([
    'Address,Grund,Von,rejected because',
    'n/a,asked,,"email: must be one email address such as name@example.com, or a domain such as @example.com, not ""n/a"""',
    's3.d36.example,"a;b",x,"""s3.d36.example"" is not an address; to suppress the whole domain, write @s3.d36.example"',
    '',
  ]);
  writeFileSync(again, readFileSync(again, 'utf8').replace('n/a', 'n@d36.example').replace('\ns3', '\n@s3'));
  const corrected = await runCommand(SuppressionImport, [again], here);
  expect(corrected).toMatchObject({ status: 0, stdout: expect.stringContaining('Suppressed 2 new entries; 0 were suppressed already.') });
  writeFileSync(file, 'one@lines.example\nnobody\n');
  await runCommand(SuppressionImport, [file, '--rejected', again], here);
  expect(readFileSync(again, 'utf8')).toMatch(/^email,rejected because\nnobody,/);
});

it('a contact without a name is called by the address alone', async () => {
  await insertContact(world.app, { name: '', email: 'nameless@data.example' });
  const set = await runCommand(ContactSet, ['nameless@data.example', '--company', 'C'], here);
  expect(set.stdout).toMatch(/^nameless@data\.example \(contact \d+\) was changed\./);
  expect((await runCommand(ContactShow, ['nameless@data.example'], here)).stdout).toMatch(/^nameless@data\.example \(contact \d+\)\n/);
});

it('a change of no single record is shown without an id', async () => {
  const file = join(folder, 'people.csv');
  writeFileSync(file, 'email\nimported@history.example\n');
  await runCommand(ContactImport, [file], here);
  const { data } = JSON.parse((await runCommand(History, ['--json'], here)).stdout);
  const { id } = data.find(({ resource_id }: { resource_id: number | null }) => resource_id === null);
  expect((await runCommand(HistoryShow, [String(id)], here)).stdout).toMatch(/^contact\S* of contacts?, \d/);
});

describe('with several workspaces, a message says in which a record was not found', () => {
  const said = async (command: typeof Command, ...args: string[]) => (await runCommand(command, args, here)).stderr;

  it('before what else it says', async () => {
    await runCommand(WorkspaceCreate, ['Elsewhere'], here);
    await runCommand(ListCreate, ['Autumn fair'], here);
    expect(await said(ListDelete, 'Nothing like it')).toBe(
      'outreach: list "Nothing like it" not found in workspace "Default"; see: outreach list list\n',
    );
    expect(await said(ListDelete, 'Autum fair')).toMatch(
      /^outreach: list "Autum fair" not found in workspace "Default"; did you mean "Autumn fair" \(\d+\)\?\n$/,
    );
  });

  it('but not in one about a record that is there, and somewhere else than it was looked for', async () => {
    const contact = String(await insertContact(world.app, { email: 'on-no-list@places.example' }));
    expect(await said(TrashRestore, 'contacts', contact)).toBe(
      `outreach: contact ${contact} is not in the trash; see: outreach trash list\n`,
    );
    expect(await said(ListRemove, 'Autumn fair', contact)).toBe(`outreach: contact ${contact} is not on the list\n`);
  });
});
