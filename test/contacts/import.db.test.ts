import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportRequest, importContacts, previewImport } from '../../src/contacts/import/index.ts';
import { addSuppression, createCustomField, listCustomFields } from '../../src/contacts/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { commandWords } from '../../src/files/csv-dialect.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertContact, insertRow } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

let installation: TestInstallation;
const folder = mkdtempSync(join(tmpdir(), 'outreach-import-'));
let made = 0;

beforeAll(async () => {
  installation = await testInstallation();
  await createCustomField(installation.app, installation.caller, { name: 'Favourite colour', field_type: 'text' });
  await createCustomField(installation.app, installation.caller, { name: 'Employees', field_type: 'number' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);

function file(content: string | Buffer): string {
  const name = path(`${++made}.csv`);
  writeFileSync(name, content);
  return name;
}

const run = (content: string | Buffer, request: Partial<ImportRequest> = {}) =>
  importContacts(installation.app, installation.caller, { path: file(content), ...request });

const contact = async (email: string) => {
  const [row] = await installation.app.db.query<Record<string, unknown>>(
    sql`select name, email, company, custom_fields, created_by from contacts where email = ${email} and deleted_at is null`,
  );
  return row;
};
const contactCount = async () => {
  const [row] = await installation.app.db.query<{ kept: number; counted: number }>(sql`
    select (select coalesce(sum(total), 0)::int from contact_counts) as kept, (select count(*)::int from contacts where deleted_at is null) as counted`);
  expect(row?.kept).toBe(row?.counted);
  return row?.counted ?? 0;
};

describe('any common dialect', () => {
  const rows = [
    ['E-Mail', 'Full Name', 'Organisation', 'Favourite colour'],
    ['zoë', 'Zoë "Zed" Müller', 'A, B; C|D', 'line one\nline two'],
  ];
  const written = (delimiter: string, newline: string, person: string) =>
    rows
      .map((row, index) =>
        [index === 0 ? row[0] : person, ...row.slice(1)].map((cell) => `"${cell?.replaceAll('"', '""')}"`).join(delimiter),
      )
      .join(newline) + newline;
  const expected = { name: 'Zoë "Zed" Müller', company: 'A, B; C|D', custom_fields: { favourite_colour: 'line one\nline two' } };

  it.each([
    [',', '\n'],
    [';', '\r\n'],
    ['\t', '\n'],
    ['|', '\r'],
  ])('delimiter %j, line end %j', async (delimiter, newline) => {
    const person = `d${delimiter.charCodeAt(0)}@example.com`;
    expect(await run(written(delimiter, newline, person))).toMatchObject({ rows: 1, imported: 1, rejected: 0, delimiter });
    expect(await contact(person)).toMatchObject(expected);
  });

  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  it.each([
    ['utf-8 with a byte order mark', 'utf-8', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['utf-16le with one', 'utf-16le', (text: string) => utf16(`\uFEFF${text}`)],
    ['utf-16le without one', 'utf-16le', utf16],
    ['utf-16be', 'utf-16be', (text: string) => utf16(`\uFEFF${text}`).swap16()],
    ['windows-1252', 'windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ])('%s', async (_, encoding, encode) => {
    const person = `e${++made}@example.com`;
    expect(await run(encode(written(',', '\n', person)))).toMatchObject({ imported: 1, rejected: 0, encoding });
    expect(await contact(person)).toMatchObject(expected);
  });

  it('Windows-1252 shows only in the last line of a long file', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `long-${index}@example.com,Ada\n`).join('');
    const result = await run(Buffer.concat([Buffer.from(`email,name\n${many}`), Buffer.from('last@example.com,Zo\xeb\n', 'latin1')]));
    expect(result).toMatchObject({ imported: 20_001, encoding: 'windows-1252' });
    expect(await contact('last@example.com')).toMatchObject({ name: 'Zoë' });
  });

  it('a line sep=; before the header, blank lines, quotes inside of a value, backslashes before quotes', async () => {
    expect(await run('sep=;\r\nemail;name\r\n\r\nsep1@example.com;Ada "The" Byron\r\n')).toMatchObject({ imported: 1, delimiter: ';' });
    expect(await contact('sep1@example.com')).toMatchObject({ name: 'Ada "The" Byron' });
    await run('"email","name"\n"sep2@example.com","Ada \\"The\\" Byron"\n');
    expect(await contact('sep2@example.com')).toMatchObject({ name: 'Ada "The" Byron' });
  });

  it('--encoding and --delimiter are believed; unknown ones are refused', async () => {
    await run(Buffer.from('email;name\nł@example.com;x\n', 'utf8'), { encoding: 'utf-8', delimiter: ';' });
    await run(Buffer.from('email,name\npl@example.com,\xa3ukasz\n', 'latin1'), { encoding: 'iso-8859-2' });
    expect(await contact('pl@example.com')).toMatchObject({ name: 'Łukasz' });
    await expect(run('email\n', { encoding: 'klingon' })).rejects.toThrow('--encoding: unknown encoding "klingon"');
    await expect(run('email\n', { delimiter: ',,' })).rejects.toThrow('--delimiter');
    await expect(run(Buffer.from('email,name\na@example.com,Zo\xeb\n', 'latin1'), { encoding: 'utf-8' })).rejects.toThrow(
      'is not in UTF-8',
    );
  });
});

describe('columns', () => {
  it('are recognised by name, custom fields by key or name; first and last name are joined; others are left out and named', async () => {
    const result = await run(
      'First Name,Last name,Email Address,favourite_colour,EMPLOYEES,Shoe size\nAda,Lovelace,cols@example.com,green,12,38\n',
    );
    expect(result).toMatchObject({ imported: 1, ignored_columns: ['Shoe size'] });
    expect(await contact('cols@example.com')).toMatchObject({
      name: 'Ada Lovelace',
      custom_fields: { favourite_colour: 'green', employees: '12' },
    });
  });

  it.each([
    ['Outlook', 'First Name,Middle Name,Last Name,Company,E-mail Address,E-mail 2 Address', (e: string) => `Jane,,Doe,Acme,${e},`],
    ['Outlook, de', 'Anrede;Vorname;Weitere Vornamen;Nachname;Firma;E-Mail-Adresse', (e: string) => `;Jane;;Doe;Acme;${e}`],
    ['Outlook, fr', 'Prénom;Deuxième prénom;Nom;Société;Adresse de messagerie', (e: string) => `Jane;;Doe;Acme;${e}`],
    ['Outlook, es', 'Nombre;Segundo nombre;Apellidos;Organización;Dirección de correo electrónico', (e: string) => `Jane;;Doe;Acme;${e}`],
    ['Outlook, it', 'Nome;Secondo nome;Cognome;Società;Indirizzo di posta elettronica', (e: string) => `Jane;;Doe;Acme;${e}`],
    ['Outlook, nl', 'Voornaam;Middelste naam;Achternaam;Bedrijf;E-mailadres', (e: string) => `Jane;;Doe;Acme;${e}`],
    ['Outlook, pl', 'Imię;Drugie imię;Nazwisko;Firma;Adres e-mail', (e: string) => `Jane;;Doe;Acme;${e}`],
    [
      'Google',
      'First Name,Middle Name,Last Name,Organization Name,E-mail 1 - Label,E-mail 1 - Value',
      (e: string) => `Jane,,Doe,Acme,* Work,${e}`,
    ],
    [
      'Google before 2024',
      'Name,Given Name,Family Name,Organization 1 - Name,E-mail 1 - Type,E-mail 1 - Value',
      (e: string) => `Jane Doe,Jane,Doe,Acme,* Work,${e}`,
    ],
    [
      'LinkedIn, with notes above',
      'Notes:\n"When exporting your connection data, you may notice that some of the email addresses are missing."\n\nFirst Name,Last Name,URL,Email Address,Company',
      (e: string) => `Jane,Doe,https://www.linkedin.com/in/x,${e},Acme`,
    ],
    ['HubSpot', 'Record ID,First Name,Last Name,Email,Company name', (e: string) => `123,Jane,Doe,${e},Acme`],
    ['HubSpot, de', 'Datensatz-ID,Vorname,Nachname,E-Mail-Adresse,Name des Unternehmens', (e: string) => `123,Jane,Doe,${e},Acme`],
    ['HubSpot, fr', "ID,Prénom,Nom de famille,Adresse e-mail,Nom de l'entreprise", (e: string) => `123,Jane,Doe,${e},Acme`],
    ['HubSpot, es', 'ID de registro,Nombre,Apellidos,Correo,Nombre de la empresa', (e: string) => `123,Jane,Doe,${e},Acme`],
    ['HubSpot, it', 'ID record,Nome,Cognome,Indirizzo e-mail,Nome azienda', (e: string) => `123,Jane,Doe,${e},Acme`],
    ['HubSpot, nl', 'Record-ID,Voornaam,Achternaam,E-mail,Bedrijfsnaam', (e: string) => `123,Jane,Doe,${e},Acme`],
    ['HubSpot, pl', 'Identyfikator rekordu,Imię,Nazwisko,E-mail,Nazwa firmy', (e: string) => `123,Jane,Doe,${e},Acme`],
    [
      'Apollo',
      'First Name,Last Name,Title,Company Name,Company Name for Emails,Email,Email Status',
      (e: string) => `Jane,Doe,CEO,Acme,Ac,${e},Verified`,
    ],
    ['Pipedrive', 'Person - Name,Person - Email - Work,Organization - Name', (e: string) => `Jane Doe,${e},Acme`],
    ['Instantly', 'email,firstName,lastName,companyName', (e: string) => `${e},Jane,Doe,Acme`],
    ['a list in Excel, de, name behind', 'Name;Vorname;Firma;E-Mail', (e: string) => `Doe;Jane;Acme;${e}`],
    ['a list in Excel, de, whole names', 'Ansprechpartner;Unternehmen;Mail', (e: string) => `Jane Doe;Acme;${e}`],
    ['a list in Excel, fr', 'Nom;Prénom;Entreprise;Mél', (e: string) => `Doe;Jane;Acme;${e}`],
    ['a list in Excel, es', 'Nombre;Empresa;Correo electrónico', (e: string) => `Jane Doe;Acme;${e}`],
    ['a list in Excel, it', 'Nome e cognome;Ragione sociale;Posta elettronica', (e: string) => `Jane Doe;Acme;${e}`],
    ['a list in Excel, nl', 'Naam;Voornaam;Organisatie;Emailadres', (e: string) => `Doe;Jane;Acme;${e}`],
    ['a list in Excel, pl', 'Imię i nazwisko;Nazwa firmy;Adres email', (e: string) => `Jane Doe;Acme;${e}`],
    ['a list in Excel, pt', 'Nome;Sobrenome;Nome da empresa;Endereço de e-mail', (e: string) => `Jane;Doe;Acme;${e}`],
  ] as const)('of the export of another program are known: %s', async (_, header, row) => {
    const email = `export-${++made}@example.org`;
    expect(await run(`${header}\n${row(email)}\n`)).toMatchObject({ rows: 1, imported: 1 });
    expect(await contact(email)).toMatchObject({ name: 'Jane Doe', company: 'Acme' });
  });

  it.each([
    ['a title', 'Contacts of May\nfirst_name,last_name,company,email\n'],
    ['a title that speaks of email', 'Email list\nEmail contacts\nFirst name,Last name,Company,Email\n'],
    ['a comment', '# exported by hand\nfirst name,last name,company,email\n'],
    ['an address in a title', '"Exported by anna@acme.example"\nVorname,Nachname,Firma,E-Mail\n'],
    ['blank lines, CR LF', '\r\nListe 2026\r\n\r\nPrénom,Nom,Société,Adresse e-mail\r\n'],
  ])('lines above the header are found: %s', async (_, above) => {
    const email = `export-${++made}@example.org`;
    expect(await run(`${above}Jane,Doe,Acme,${email}\n`)).toMatchObject({ rows: 1, imported: 1, rejected: 0 });
    expect(await contact(email)).toMatchObject({ name: 'Jane Doe', company: 'Acme' });
  });

  it('--skip-lines names the lines above the header, which nothing recognises as one', async () => {
    const notes = 'Kunden;Stand 2026\nfür email;an alle\n\n';
    const csv = `${notes}Wer;Wohin\nJane Doe;skip1@example.org\n`;
    const map = ['Wer=name', 'Wohin=email'];
    await expect(run(csv)).rejects.toThrow('use --skip-lines with the number of lines above them');
    expect(await run(csv, { skipLines: 3, map })).toMatchObject({ rows: 1, imported: 1, delimiter: ';' });
    expect(await contact('skip1@example.org')).toMatchObject({ name: 'Jane Doe' });
    expect(await run(`sep=|\n${csv.replaceAll(';', '|').replace('skip1', 'skip2')}`, { skipLines: 4, map })).toMatchObject({ imported: 1 });
    await expect(run(csv, { skipLines: 0 })).rejects.toThrow('the columns are: Kunden, Stand 2026');
    await expect(run(csv, { skipLines: 9, map })).rejects.toThrow('has no lines');
  });

  it('--create-fields makes a text field of every unknown column, but not of one that --map ignores', async () => {
    const csv = 'email,Hat size,cf.Shoe colour,Notes\nhat@example.com,58,red,x\n';
    const preview = await run(csv, { createFields: true, dryRun: true, map: ['Notes=-'] });
    expect(preview).toMatchObject({ imported: 1, ignored_columns: [], created_fields: ['hat_size', 'shoe_colour'] });
    expect((await listCustomFields(installation.app.db, installation.caller)).map(({ key }) => key)).not.toContain('hat_size');
    expect(await run(csv, { createFields: true, map: ['Notes=-'] })).toMatchObject({ created_fields: ['hat_size', 'shoe_colour'] });
    expect(await contact('hat@example.com')).toMatchObject({ custom_fields: { hat_size: '58', shoe_colour: 'red' } });
    const again = await run(csv.replace('hat@', 'hat2@'), { createFields: true, map: ['Notes=-'] });
    expect(again).toMatchObject({ imported: 1, created_fields: [] });
    await expect(run(`email,${'x'.repeat(256)}\nlong@example.com,1\n`, { createFields: true })).rejects.toThrow(
      "can't become a custom field",
    );
  });

  /** docs/contacts.md: the column `email` is imported as "the email address". A custom field may be named like it. */
  it('email, name and company are those of the contact, whatever custom fields are called', async () => {
    const { app, caller } = installation;
    const keys = [];
    for (const name of ['Email', 'Name', 'Company']) keys.push((await createCustomField(app, caller, { name, field_type: 'text' })).key);
    await run(`Email,name,COMPANY,${keys.map((key) => `cf.${key}`).join(',')}\nown@example.com,Ada,Engines,x,y,z\n`);
    const custom = Object.fromEntries(keys.map((key, index) => [key, 'xyz'[index]]));
    expect(await contact('own@example.com')).toMatchObject({ name: 'Ada', company: 'Engines', custom_fields: custom });
    await app.db.query(sql`update custom_fields set deleted_at = now() where key = any(${keys}::text[])`);
  });

  it('--map says what a column holds, - leaves it out', async () => {
    const map = ['Kontakt=email', 'Wer=name', 'email=-', 'Farbe=favourite_colour'];
    await run('Kontakt,Wer,email,Farbe\nmap@example.com,Ada,other@example.com,red\n', { map });
    expect(await contact('map@example.com')).toMatchObject({ name: 'Ada', custom_fields: { favourite_colour: 'red' } });
  });

  it('--map names a column by its number, where its name does not tell it from another', async () => {
    const result = await run('email,city,City,2\nnumbered@example.com,Bonn,Ulm,Ada\n', { map: ['3=-', '2=name', 'city=favourite_colour'] });
    expect(result).toMatchObject({ imported: 1, ignored_columns: [] });
    expect(await contact('numbered@example.com')).toMatchObject({ name: 'Ada', custom_fields: { favourite_colour: 'Bonn' } });
  });

  it.each([
    ['a,b\nx,y\n', [], 'no column is recognised as the email address; the columns are: a, b'],
    ['ada@example.com,Ada\n', [], 'the first line must name the columns'],
    ['email,name,Name\n', [], 'columns 2 and 3 are both named "Name"; to leave one out, use --map "3=-"'],
    ['email,name\n', ['4=-'], 'there is no column "4"'],
    ['email,Mail\n', [], 'both map to email'],
    ['email,x\n', ['y=name'], 'there is no column "y"; the columns are: email, x'],
    ['email,x\n', ['x=nothing'], 'there is no field "nothing"'],
    ['email,x\n', ['x'], 'must be COLUMN=FIELD'],
    ['email,x\n', ['x=name', 'x=company'], 'mapped twice'],
    ['\n\n', [], 'has no lines'],
    ['  \n\n', [], 'the line of the header is blank; it must name the columns'],
    ['', [], 'is empty'],
    [Buffer.from('PK\x03\x04rest'), [], 'is a spreadsheet or an archive'],
    [Buffer.from([0x1f, 0x8b, 8, 0]), [], 'is compressed'],
    [Buffer.from('email,name\nabc\0def\0'), [], 'contains NUL bytes'],
    [
      Buffer.from(Uint32Array.from('\ufeffemail,name\n', (letter) => letter.codePointAt(0) ?? 0).buffer),
      [],
      'contains NUL characters, so it is not text in utf-16le',
    ],
  ])('a header that can not be used is refused: %j %j', async (content, map, message) => {
    const before = await contactCount();
    await expect(run(content, { map })).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
    expect(await contactCount()).toBe(before);
  });

  it('directories and files that are not there are refused', async () => {
    const imported = (name: string) => importContacts(installation.app, installation.caller, { path: name });
    await expect(imported(folder)).rejects.toThrow('is a directory');
    await expect(imported('-')).rejects.toThrow("stdin can't be read here; write its content to a file first");
    await expect(imported('/dev/null')).rejects.toThrow('not a regular file');
    const preview = previewImport({ path: '/dev/null', map: [] }, [], commandWords('/dev/null'));
    await expect(preview, 'which a pipe would be used up by').rejects.toThrow('not a regular file');
    await expect(imported(path('missing.csv'))).rejects.toThrow("can't be read");
  });
});

describe('rows', () => {
  it('one that breaks a rule of the API is rejected with its line number, the others are imported', async () => {
    const report = path('report.csv');
    const result = await run(
      'email,name,favourite_colour,employees\nok1@example.com,"two\nlines",,\nbad,Ada,,\n,Ada,,\nok2@example.com,Ada,"a\nb",7\n' +
        'num@example.com,Ada,,seven\nshort@example.com,Ada\nok3@example.com,Ada,,,,\nmore@example.com,Ada,,,x\n',
      { report },
    );
    expect(result).toMatchObject({ rows: 8, imported: 3, rejected: 5, cleaned: 1 });
    expect(await contact('ok1@example.com')).toMatchObject({ name: 'two lines' });
    expect(readFileSync(report, 'utf8')).toBe(
      'line,email,outcome,reason\n' +
        '4,bad,rejected,"email: must be one email address, for example name@example.com, not ""bad"""\n' +
        '5,,rejected,email: is empty\n' +
        '8,num@example.com,rejected,"custom_fields.employees: must be a number, not ""seven"""\n' +
        '9,short@example.com,rejected,"has 2 columns where the header has 4; is a value that contains the delimiter not quoted?"\n' +
        '11,more@example.com,rejected,"has 5 columns where the header has 4; is a value that contains the delimiter not quoted?"\n',
    );
    expect(await contact('ok2@example.com')).toMatchObject({ custom_fields: { favourite_colour: 'a\nb', employees: '7' } });
  });

  it('D3.6: "cleans what is unambiguous …, counts what it cleaned, quotes the cell it refuses"', async () => {
    const cells = [
      'mailto:w1@x.example',
      'Ann <w2@x.example>',
      '"""Lee, Ann"" <w3@x.example>"',
      '<w4@x.example>',
      'w5@x.example.',
      'w6@x.example',
    ];
    const refused = ['w7@x.example;w8@x.example', 'n/a'];
    const result = await run(`email,company\n${[...cells, ...refused].map((cell) => `${cell},"Acme\r\n  Ltd."`).join('\n')}\n`);
    expect(result).toMatchObject({ rows: 8, imported: 6, rejected: 2, cleaned: 11 });
    expect(result.problems.map(({ reason }) => reason)).toEqual(
      refused.map((cell) => `email: must be one email address, for example name@example.com, not "${cell}"`),
    );
    expect(await contact('w3@x.example')).toMatchObject({ company: 'Acme Ltd.' });
  });

  it('a quotation mark that is never closed imports nothing and names the line', async () => {
    const before = await contactCount();
    await expect(run('email,name\nq1@example.com,Ada\nq2@example.com,"Ada\nq3@example.com,Grace\n')).rejects.toThrow(
      /line 3: a quotation mark is never closed/,
    );
    await expect(run(`email,name\nq1@example.com,Ada\n${'y'.repeat(5_000_000)}`)).rejects.toThrow(/line 3: a row is longer than 4 MiB/);
    expect(await contactCount()).toBe(before);
  });

  it('nothing is imported twice: addresses in any case, archived contacts, duplicates within the file', async () => {
    const { app } = installation;
    const [id] = await Promise.all([
      insertContact(app, { email: 'There@Example.com' }),
      insertContact(app, { email: 'arch@example.com', is_archived: true }),
    ]);
    await insertContact(app, { email: 'gone@example.com', deleted_at: app.clock.now() });
    const report = path('twice.csv');
    const content =
      'email,name\nthere@example.com,New\nARCH@example.com,\nnew@example.com,First\ngone@example.com,\nNEW@example.com,Second\n';
    const result = await run(content, { list: 'Twice', report });
    expect(result).toMatchObject({ rows: 5, imported: 2, existing: 2, duplicates: 1, added_to_list: 4 });
    expect(readFileSync(report, 'utf8').split('\n')).toEqual([
      'line,email,outcome,reason',
      '6,NEW@example.com,duplicate,the same address as in line 4',
      '2,there@example.com,exists,a contact has this address',
      '3,ARCH@example.com,exists,an archived contact has this address',
      '',
    ]);
    expect(await contact('There@Example.com')).toMatchObject({ name: 'Con Tact' });
    expect(await run(content, { list: 'twice' })).toMatchObject({ imported: 0, existing: 4, duplicates: 1, added_to_list: 0 });
    const [members] =
      await app.db.query(sql`select count(*)::int as total, array_agg(m.contact_id) @> ${[id]}::int[] as has_old from lists l
      join list_members m on m.list_id = l.id where l.name = 'Twice'`);
    expect(members).toEqual({ total: 4, has_old: true });
    await contactCount();
  });

  it('a contact that somebody makes meanwhile is none of ours; all others are imported', async () => {
    const { db } = installation.app;
    const before = await contactCount();
    const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into contacts%'`;
    let importing: Promise<unknown> | undefined;
    await db.tx(async (tx) => {
      await insertContact({ ...installation.app, db: db.within(tx) }, { email: 'Meanwhile@example.com' });
      importing = run('email\nbefore@example.com\nmeanwhile@example.com\nafter@example.com\n', { list: 'Meanwhile' });
      await waitUntil('the import waits for the other', async () => (await db.query(waits)).length > 0);
    });
    expect(await importing).toMatchObject({ imported: 2, existing: 1, rows: 3, added_to_list: 3 });
    expect(await contactCount()).toBe(before + 3);
  });

  it.each([
    ['list', { list: 'At once' }],
    ['field', { createFields: true }],
  ])('two at the same time that create the same %s create one', async (_, request) => {
    const { db } = installation.app;
    const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let isOver = false;
    let other: Promise<unknown> | undefined;
    const conclude = async () => {
      other = run(`email,At once\nsecond.${_}@example.com,x\n`, request).finally(() => {
        isOver = true;
      });
      await waitUntil('the other import waits, or is over', async () => isOver || (await db.query(waits)).length > 0);
    };
    expect(await run(`email,At once\nfirst.${_}@example.com,x\n`, { ...request, conclude })).toMatchObject({ imported: 1 });
    expect(await other).toMatchObject({ imported: 1, created_fields: [] });
    expect(await db.query(sql`select 1 from lists where name = 'At once'`)).toHaveLength(1);
    const fields = await listCustomFields(db, installation.caller);
    expect(fields.filter(({ name }) => name === 'At once')).toHaveLength('createFields' in request ? 1 : 0);
  });

  it('--update gives existing contacts the values of the file; empty cells and other custom values stay', async () => {
    await insertContact(installation.app, {
      email: 'up@example.com',
      company: 'Old',
      custom_fields: { favourite_colour: 'blue', employees: '1' },
    });
    const result = await run('email,name,company,employees\nUP@example.com,Ada,,2\n', { update: true });
    expect(result).toMatchObject({ imported: 0, updated: 1, existing: 1 });
    expect(await contact('up@example.com')).toMatchObject({
      name: 'Ada',
      company: 'Old',
      custom_fields: { favourite_colour: 'blue', employees: '2' },
    });
    expect(await run('email,name\nup@example.com,Ada\n', { update: true })).toMatchObject({ updated: 0, existing: 1 });
  });

  it('suppressed addresses are imported and flagged', async () => {
    await insertRow(installation.app, 'suppressions', {
      workspace_id: 1,
      email: 'Never@example.com',
      created_at: installation.clock.now(),
    });
    const result = await run('email\nnever@example.com\n');
    expect(result).toMatchObject({ imported: 1, suppressed: 1 });
    expect(result.problems).toEqual([{ line: 2, outcome: 'suppressed', reason: 'the address is suppressed and never emailed' }]);
  });

  it('one audit row holds the counts; a dry run leaves nothing', async () => {
    const { app } = installation;
    const audits = async () =>
      (await app.db.query<{ changes: object }>(sql`select changes from audit_log where action = 'contact.import' order by id`)).map(
        (row) => row.changes,
      );
    const before = [await contactCount(), await audits()];
    expect(await run('email\ndry@example.com\n', { dryRun: true, list: 'Dry' })).toMatchObject({ imported: 1, dry_run: true });
    expect([await contactCount(), await audits()]).toEqual(before);
    expect(await app.db.query(sql`select 1 from lists where name = 'Dry'`)).toEqual([]);
    await run('email\nwet@example.com\n');
    expect((await audits()).at(-1)).toMatchObject({ imported: 1, existing: 0, rejected: 0, rows: 1 });
  });

  it('counts and names addresses with a risk that is known without DNS, each once, and imports them', async () => {
    const { app, caller } = installation;
    const bounce = (email: string) => app.db.tx((tx) => addSuppression(tx, app, caller, { email, reason: 'bounce', workspaceOnly: true }));
    for (const name of ['a', 'b', 'c']) await bounce(`${name}@often.example`);
    for (const name of ['a', 'b']) await bounce(`${name}@twice.example`);
    for (const name of ['a', 'b', 'c']) await bounce(`${name}@gmail.com`);
    const addresses =
      `info@r1.example Info@r1.example info@r2.example sales+fair@r1.example office@r1.example team@r1.example ada@r1.example
      No-Reply@r1.example x@mailinator.com info@inbox.mailinator.com new@often.example NEW2@Often.example x@twice.example x@gmail.com`.split(
        /\s+/,
      );
    const csv = `email\n${addresses.join('\n')}\n`;
    const risky_addresses = [
      { risk: 'unread', count: 1, examples: ['no-reply@'] },
      { risk: 'disposable', count: 2, examples: ['inbox.mailinator.com', 'mailinator.com'] },
      { risk: 'role', count: 5, examples: ['info@', 'office@', 'sales+fair@'] },
      { risk: 'bounced_domain', count: 2, examples: ['often.example'] },
    ];
    expect(await run(csv, { dryRun: true })).toMatchObject({ imported: 13, duplicates: 1, risky_addresses });
    expect(await run(csv)).toMatchObject({ imported: 13, risky_addresses });
    // Contacts that existed before count too, because they are in the file.
    expect(await run(csv)).toMatchObject({ imported: 0, existing: 13, risky_addresses });
    installation.clock.advance(31 * DAY);
    expect(await run('email\nnew3@often.example\n')).toMatchObject({ imported: 1, risky_addresses: [] });
  });

  it('formula cells come in without the apostrophe that protects them', async () => {
    await run("email,name,company\n'=f@example.com,'=1+1,'quoted\n");
    expect(await contact('=f@example.com')).toMatchObject({ name: '=1+1', company: "'quoted" });
  });
});

describe('interrupted', () => {
  const many = (count: number) => `email\n${Array.from({ length: count }, (_, index) => `i${index}@interrupted.example\n`).join('')}`;

  it.each(['reading', 'merging'] as const)('while %s, it rolls back and says so', async (phase) => {
    const before = await contactCount();
    const controller = new AbortController();
    const importing = run(many(50_000), {
      signal: controller.signal,
      progress: (state) => state.phase === phase && state.rows > 0 && controller.abort(new Error('told to stop')),
    });
    await expect(importing).rejects.toThrow('told to stop');
    expect(await contactCount()).toBe(before);
    expect(await run('email\nafter@interrupted.example\n', { dryRun: true })).toMatchObject({ imported: 1 });
  });

  it('by a database that ends the connection, nothing is imported and the message says so', async () => {
    const { app } = installation;
    const before = await contactCount();
    let cut: Promise<unknown> | undefined;
    const importing = run(many(50_000), {
      progress: ({ phase }) => {
        if (phase === 'merging')
          cut ??= app.db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
            and state <> 'idle' and pid <> pg_backend_pid()`);
      },
    });
    await expect(importing).rejects.toThrow(/^nothing was imported: the connection to the database was lost \(.+\); try again; /);
    await cut;
    expect(await contactCount()).toBe(before);
  });

  it('by a full disk under the report, nothing is imported', async () => {
    const before = await contactCount();
    await expect(run(`email\nx\n${many(3_000).slice(6)}`, { report: '/dev/full' })).rejects.toThrow(
      /--report: \/dev\/full can't be written: .*ENOSPC/,
    );
    await expect(run('email\nx@example.com\n', { report: folder })).rejects.toThrow("can't be written");
    expect(await contactCount()).toBe(before);
  });
});
