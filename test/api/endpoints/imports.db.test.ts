import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { dueImports, pruneImports, runImport } from '../../../src/contacts/import-jobs/index.ts';
import { takeRun } from '../../../src/contacts/import-jobs/runs.ts';
import { DAY, HOUR } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { pruneFiles, storeFile } from '../../../src/uploads/files.ts';
import { member, workspace } from '../../support/people.ts';
import { refusal, servedInstallation } from '../../support/served.ts';
import { waitUntil } from '../../support/wait-until.ts';

const { app, api, clock, url, adminKey } = await servedInstallation();
const manager = await member(app, 'manager', { email: 'manager@example.com' });
const never = () => new AbortController().signal;

function form(csv: string | Blob, fields: Record<string, string | string[]> = {}, name = 'people.csv'): FormData {
  const made = new FormData();
  made.append('file', typeof csv === 'string' ? new Blob([csv]) : csv, name);
  for (const [field, value] of Object.entries(fields)) for (const one of [value].flat()) made.append(field, one);
  return made;
}

async function uploaded(csv: string | Blob, fields: Record<string, string | string[]> = {}, client = api) {
  const { status, body } = await client.post('/imports', form(csv, fields));
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'queued', result: null, error: null } });
  return body.id as number;
}
const read = async (id: number) => (await api.get(`/imports/${id}`)).body;
const imported = async (csv: string | Blob, fields?: Record<string, string | string[]>) => {
  const id = await uploaded(csv, fields);
  await runImport(app, id, never());
  return read(id);
};

async function count(what: string): Promise<number> {
  const { rows } = await app.db.pool.query(`select count(*)::int as count from ${what}`);
  return rows[0].count;
}
const contactsAt = (domain: string) => count(`contacts where email like '%@${domain}' and deleted_at is null`);
const many = (domain: string, rows: number) =>
  `email,name\n${Array.from({ length: rows }, (_, row) => `p${row}@${domain},P ${row}\n`).join('')}`;

describe('POST /imports', () => {
  it('imports a file as the command does, and says what became of it and of each bad line', async () => {
    await api.post('/contacts', { email: 'there@one.example' });
    const csv =
      'Work mail,Name,Town\nada@one.example,Ada,London\nthere@one.example,T,\n+tag@@one.example,X,\nADA@one.example,Twice,\ninfo@one.example,Desk,\n';
    const done = await imported(csv, { list: 'Spring fair', map: ['Work mail=email'], create_fields: 'true' });
    expect(done).toMatchObject({
      ...{ status: 'completed', file_name: 'people.csv', file_size: csv.length, bytes_read: csv.length, rows_read: 5, error: null },
      ...{ list: 'Spring fair', map: ['Work mail=email'], create_fields: true, update: false, dry_run: false, created_by: 1 },
      result: {
        ...{ rows: 5, imported: 2, existing: 1, duplicates: 1, rejected: 1, added_to_list: 3, created_fields: ['town'], delimiter: ',' },
        risky_addresses: [{ risk: 'role', count: 1, examples: ['info@'] }],
      },
      problem_count: 3,
    });
    const { data: problems, pagination } = (await api.get(`/imports/${done.id}/problems?limit=2`)).body;
    expect(problems).toEqual([
      { line: 3, email: 'there@one.example', outcome: 'exists', reason: 'a contact has this address' },
      { line: 4, email: '+tag@@one.example', outcome: 'rejected', reason: expect.stringContaining('email') },
    ]);
    expect(pagination).toEqual({ total: 3, limit: 2, offset: 0 });
    expect((await api.get('/contacts?q=ada@one.example')).body.data).toMatchObject([{ name: 'Ada', custom_fields: { town: 'London' } }]);
    expect(await count('files')).toBe(0);
  });

  it('every change made through a key is recorded against its owner and the IP address, also when the daemon makes it later', async () => {
    const id = await uploaded('email\nmine@two.example\n', {}, api.as(manager.key));
    await runImport(app, id, never());
    const rows = await app.db.query(sql`
      select action, user_id, ip, actor from audit_log where action in ('import.create', 'contact.import') order by id desc limit 2`);
    expect(rows).toMatchObject([
      { action: 'contact.import', user_id: manager.id, actor: 'user', ip: expect.stringContaining('127.0.0.1') },
      { action: 'import.create', user_id: manager.id, actor: 'user' },
    ]);
  });

  it('skip_lines names the lines above the header', async () => {
    const csv = 'email, for all\n\nWho,Where to\nSkip,skip@one.example\n';
    expect(await imported(csv, { map: 'Where to=email' })).toMatchObject({
      status: 'failed',
      skip_lines: null,
      error: expect.stringContaining('there is no column "Where to"'),
    });
    expect(await imported(csv, { map: 'Where to=email', skip_lines: '2' })).toMatchObject({
      ...{ status: 'completed', skip_lines: 2, rows_read: 1 },
      result: { imported: 1, rejected: 0 },
    });
  });

  it('a dry run changes nothing and has the same result', async () => {
    const done = await imported('email\ndry@three.example\nbad\n', { dry_run: 'true', list: 'Dry' });
    expect(done).toMatchObject({ status: 'completed', dry_run: true, problem_count: 1, result: { imported: 1, rejected: 1 } });
    expect(await contactsAt('three.example')).toBe(0);
    expect((await api.get('/lists')).body.data.map((list: { name: string }) => list.name)).not.toContain('Dry');
  });

  it.each([
    [
      'name\nAda\n',
      {},
      'no column is recognised as the email address; the columns are: name; to choose one, use map COLUMN=email; if these are not the names of columns, use skip_lines with the number',
    ],
    ['email\na@b.example\n', { map: 'x=name' }, 'map: there is no column "x"'],
    ['email\na@b.example\n', { encoding: 'klingon' }, 'encoding: unknown encoding "klingon"'],
    ['email\n"a@b.example\n', {}, 'people.csv, line 2: a quotation mark is never closed'],
    ['PK\u0003\u0004', {}, 'people.csv is a spreadsheet or an archive'],
  ])('a file that can not be imported fails with the reason, in the words of the API: %j', async (csv, fields, message) => {
    const done = await imported(csv, fields as Record<string, string>);
    expect(done).toMatchObject({ status: 'failed', result: null, error: expect.stringContaining(message) });
    expect(done.error).not.toMatch(/--|\/tmp/);
    expect(await count('files')).toBe(0);
  });

  it('refuses a form that is none, or says too much, or no file, and keeps nothing of it', async () => {
    const twice = form('email\n');
    twice.append('file', new Blob(['email\n']), 'b.csv');
    const text = new FormData();
    text.append('file', 'email\n');
    const refused: [unknown, number, string][] = [
      [{ file: 'email\n' }, 415, 'multipart/form-data'],
      [new FormData(), 400, 'file: is required'],
      [form(''), 400, 'file: must not be empty'],
      [form('email\n', { colour: 'x' }), 400, 'unknown field "colour"'],
      [form('email\n', { update: 'yes' }), 400, 'update: must be true or false'],
      [form('email\n', { map: 'x' }), 400, 'map'],
      [form('email\n', { map: 'x\0=name' }), 400, 'map: must not contain NUL'],
      [form('email\n', { skip_lines: '-1' }), 400, 'skip_lines'],
      [form('email\n', { delimiter: '\0' }), 400, 'delimiter: must not contain NUL'],
      [form('email\n', { list: 'a\nb' }), 400, 'list: must not contain line breaks'],
      [twice, 400, 'unknown field "file"'],
      [text, 400, 'file: must be a file'],
    ];
    for (const [body, status, message] of refused)
      expect(await api.post('/imports', body), message).toMatchObject(refusal(status, 'invalid_request', message));
    await waitUntil('the uploads are deleted', async () => (await count('files')) === 0);
  });

  it('refuses a file of more than 50 MiB, whether or not its length is known, and keeps nothing of it', async () => {
    const large = new Blob([Buffer.alloc(50 * 1024 * 1024 + 1, 'x')]);
    expect(await api.post('/imports', form(large))).toMatchObject(refusal(413, 'invalid_request', 'the file is larger than 50 MiB'));
    await waitUntil('the upload is deleted', async () => (await count('files')) === 0);
  });

  it('keeps nothing of an upload that is cut off', async () => {
    const cut = new AbortController();
    const body = new ReadableStream({
      pull: async (controller) => {
        controller.enqueue(
          Buffer.from(`--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${'x'.repeat(600_000)}`),
        );
        await waitUntil('a chunk is stored', async () => (await count('file_chunks')) > 0);
        cut.abort();
      },
    });
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'multipart/form-data; boundary=b' };
    const request = { method: 'POST', headers, body, duplex: 'half', signal: cut.signal } as RequestInit;
    await expect(fetch(`${url}/api/v1/imports`, request)).rejects.toThrow('abort');
    await waitUntil('the upload is deleted', async () => (await count('files')) === 0);
  });

  it('a retry with the same Idempotency-Key and file gets the same import; another file is a conflict', async () => {
    const headers = { 'idempotency-key': 'import-1' };
    const first = await api.post('/imports', form('email\nkey@four.example\n'), headers);
    const again = await api.post('/imports', form('email\nkey@four.example\n'), headers);
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect(await api.post('/imports', form('email\nother@four.example\n'), headers)).toMatchObject(refusal(409, 'conflict'));
    await waitUntil('the file of the first is kept', async () => (await count('files')) === 1);
    await api.post(`/imports/${first.body.id}/cancel`);
  });

  it('at most 20 of a workspace are open at a time', async () => {
    const ids = [];
    for (let made = 0; made < 20; made++) ids.push(await uploaded('email\n'));
    expect(await api.post('/imports', form('email\n'))).toMatchObject(refusal(409, 'conflict', '20 imports of this workspace'));
    for (const id of ids) await api.post(`/imports/${id}/cancel`);
    expect(await count('files')).toBe(0);
  });

  it('at most 20 are open, also when two are started at once', async () => {
    const ids = [];
    for (let made = 0; made < 19; made++) ids.push(await uploaded('email\n'));
    const db = await app.db.pool.connect();
    await db.query('begin');
    // Meanwhile an import may read rows, but not write them.
    await db.query('lock table imports in share row exclusive mode');
    const starts = ['a', 'b'].map((name) => api.post('/imports', form(`email\n${name}@twice.example\n`)));
    await waitUntil('both wait', async () => {
      const { rows } = await app.db.pool.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows.length === 2;
    });
    await db.query('commit');
    db.release();
    const started = await Promise.all(starts);
    expect(started.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    for (const id of [...ids, started.find(({ status }) => status === 201)?.body.id]) await api.post(`/imports/${id}/cancel`);
    await waitUntil('no file is left', async () => (await count('files')) === 0);
  });

  it('under /trpc a file is refused with the place where it is taken', async () => {
    const response = await fetch(`${url}/trpc/imports.create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ file: 'email\n' }),
    });
    expect(await response.text()).toContain('sent as multipart/form-data to POST /api/v1/imports');
  });
});

describe('who may', () => {
  it('a view_only key may not import; an import of another workspace, or of somebody else to a manager, does not exist', async () => {
    const viewer = await member(app, 'view_only', { email: 'viewer@example.com' });
    const elsewhere = await workspace(app, 'Elsewhere');
    const stranger = await member(app, 'admin', { workspaceId: elsewhere, email: 'stranger@example.com' });
    const id = await uploaded('email\nhidden@five.example\n');
    expect(await api.as(viewer.key).post('/imports', form('email\n'))).toMatchObject(refusal(403, 'forbidden'));
    expect(await api.as(viewer.key).post(`/imports/${id}/cancel`)).toMatchObject(refusal(403, 'forbidden'));
    for (const other of [api.as(stranger.key), api.as(manager.key)]) {
      expect(await other.get(`/imports/${id}`)).toMatchObject(refusal(404, 'not_found'));
      expect(await other.get(`/imports/${id}/problems`)).toMatchObject(refusal(404, 'not_found'));
      expect(await other.post(`/imports/${id}/cancel`)).toMatchObject(refusal(404, 'not_found'));
      expect((await other.get('/imports')).body.data.map((row: { id: number }) => row.id)).not.toContain(id);
    }
    expect((await api.get('/imports?status=queued')).body.data).toMatchObject([{ id }]);
    await api.post(`/imports/${id}/cancel`);
  });

  it('an import of somebody who was disabled before it ran imports nothing', async () => {
    const gone = await member(app, 'manager', { email: 'gone@example.com' });
    const id = await uploaded('email\ngone@six.example\n', {}, api.as(gone.key));
    await api.post(`/users/${gone.id}/disable`);
    await runImport(app, id, never());
    expect(await read(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('may no longer change contacts') });
    expect(await contactsAt('six.example')).toBe(0);
  });
});

describe('an import is imported once or not at all', () => {
  it('a daemon that stops leaves it queued; another begins it again', async () => {
    const id = await uploaded(many('seven.example', 20_000));
    const drain = new AbortController();
    const run = runImport(app, id, drain.signal);
    await waitUntil('it runs', async () => (await read(id)).status === 'running');
    drain.abort();
    await run;
    expect(await read(id)).toMatchObject({ status: 'queued', result: null });
    expect(await contactsAt('seven.example')).toBe(0);
    expect(await dueImports(app, 10)).toContain(id);
    await runImport(app, id, never());
    expect(await read(id)).toMatchObject({ status: 'completed', result: { imported: 20_000 } });
  });

  it('of two runs, the first of which was taken for dead, only the later one can end it', async () => {
    const id = await uploaded(many('eight.example', 5_000));
    const late = runImport(app, id, never());
    await waitUntil('the first runs', async () => (await read(id)).status === 'running');
    const later = await takeRun(app, id);
    await late;
    expect(await read(id)).toMatchObject({ status: 'running', result: null });
    expect(await contactsAt('eight.example')).toBe(0);
    expect(later?.tries).toBe(2);
    await runImport(app, id, never());
    expect(await contactsAt('eight.example')).toBe(5_000);
  });

  it('is given up, with the reason, after five runs that were cut off', async () => {
    const id = await uploaded('email\na@nine.example\n');
    for (let tries = 0; tries < 5; tries++) await takeRun(app, id);
    await runImport(app, id, never());
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('during each of 5 tries; upload the file again'),
    });
    expect(await dueImports(app, 10)).toEqual([]);
  });

  it('one that is cancelled while it runs imports nothing and stops; one that has ended can not be cancelled', async () => {
    const id = await uploaded(many('ten.example', 30_000));
    const run = runImport(app, id, never());
    await waitUntil('it runs', async () => (await read(id)).status === 'running');
    expect((await api.post(`/imports/${id}/cancel`)).body).toMatchObject({ status: 'cancelled', result: null });
    await run;
    expect(await contactsAt('ten.example')).toBe(0);
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
    expect(await api.post(`/imports/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    const done = await imported('email\nb@ten.example\n');
    expect(await api.post(`/imports/${done.id}/cancel`)).toMatchObject(refusal(409, 'conflict', 'completed already'));
    expect(await count('files')).toBe(0);
  });
});

it('an upload that no import has is deleted after an hour; that of an import that waits is kept', async () => {
  const id = await uploaded('email\nlate@eleven.example\n');
  await storeFile(app, 1, 'left.csv', Readable.from([Buffer.from('email\n')]));
  clock.advance(HOUR - 1);
  await pruneFiles(app);
  expect(await count('files')).toBe(2);
  clock.advance(2);
  await pruneFiles(app);
  expect(await count('files')).toBe(1);
  await runImport(app, id, never());
  expect(await read(id)).toMatchObject({ status: 'completed', result: { imported: 1 } });
  expect(await count('files')).toBe(0);
});

it('imports and their problems are deleted 30 days after they ended', async () => {
  const done = await imported('email\nbad\n');
  clock.advance(30 * DAY - 10_000);
  await pruneImports(app);
  expect(await read(done.id)).toMatchObject({ status: 'completed', problem_count: 1 });
  clock.advance(20_000);
  expect(await pruneImports(app, AbortSignal.abort()), 'a drain does not wait for it').toBe(0);
  await pruneImports(app);
  expect(await api.get(`/imports/${done.id}`)).toMatchObject(refusal(404, 'not_found'));
  expect(await count('import_problems')).toBe(0);
});
