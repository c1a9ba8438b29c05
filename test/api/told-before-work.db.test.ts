import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { runImport } from '../../src/contacts/import-jobs/index.ts';
import { sql } from '../../src/db/statement.ts';
import { type StoredFile, shareFile, storeFile } from '../../src/uploads/files.ts';
import { formOf } from '../support/form.ts';
import { insertCampaign } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

// docs/security.md: "A client that sends or asks for too much is refused, and the others are answered."

const { api, app, url, adminKey } = await servedInstallation({ limitsUploads: 3, limitsUnusedUploads: 2 });

/** Returns the CPU time of some work, in seconds. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const { user, system } = process.cpuUsage();
  await work();
  const after = process.cpuUsage({ user, system });
  return (after.user + after.system) / 1_000_000;
}

it('an import has at most 1,000 columns, of 100,000 characters together', async () => {
  for (const header of [`email,${Array.from({ length: 200_000 }, (_, at) => `c${at}`)}`, `email,${'x'.repeat(200_000)}`]) {
    const { body } = await api.post('/imports', formOf({ file: `${header}\nada@example.org\n` }));
    expect(await cost(() => runImport(app, body.id, new AbortController().signal))).toBeLessThan(5);
    const { status, error } = (await api.get(`/imports/${body.id}`)).body;
    expect({ status, error }).toMatchObject({ status: 'failed', error: expect.stringContaining('at most 1,000') });
  }
});

it('a form has at most 200 parts, whatever they are', async () => {
  const part = '--b\r\nContent-Disposition: form-data\r\n\r\n\r\n';
  const send = () =>
    fetch(`${url}/api/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: `${part.repeat(200_000)}--b--\r\n`,
    }).then(
      (response) => expect(response.status).toBe(400),
      // The server closed the connection without reading the rest of the body.
      () => undefined,
    );
  expect(await cost(send)).toBeLessThan(3);
});

it('a text has at most 4,000 braces, in a step, a file and a template', async () => {
  const body_html = `a${'{'.repeat(5_000)}b`;
  const campaign = await insertCampaign(app, { status: 'draft' });
  const tooMany = refusal(400, 'invalid_request', 'has more than 4,000 braces');
  expect(await api.post(`/campaigns/${campaign}/steps`, { subject: 's', body_html })).toMatchObject(tooMany);
  expect(await api.post('/templates', { name: 't', body_html })).toMatchObject(tooMany);
  for (let step = 0; step < 20; step++)
    await api.post(`/campaigns/${campaign}/steps`, { subject: '', wait_days: step === 0 ? 0 : 1, body_html: `a${'{'.repeat(3_999)}b` });
  expect(await cost(() => api.get(`/campaigns/${campaign}/warnings`))).toBeLessThan(3);
});

it('a text of spaces costs no more than other texts', async () => {
  const campaigns = [{ name: 'q', steps: [{ subject: 'x', text: `a${' '.repeat(180_000)}b` }] }];
  expect(await cost(() => api.post('/campaigns/apply', { campaigns, dry_run: true }))).toBeLessThan(3);
});

it('a workspace has room for so many uploaded files, and for fewer that nothing uses', async () => {
  const upload = (letter: string) => storeFile(app, 1, 'a.csv', Readable.from([Buffer.from(letter.repeat(900 * 1024))]));
  const campaign = await insertCampaign(app, { status: 'draft' });
  const step = (await api.get(`/campaigns/${campaign}/steps`)).body.data[0].id;
  const attach = async (file: StoredFile) => {
    await app.db.tx((tx) => shareFile(tx, 1, file, app.clock.now()));
    const attached = await api.post(`/campaigns/${campaign}/steps/${step}/attachments`, {
      sha256: file.sha256,
      name: `${file.sha256}.csv`,
    });
    expect(attached.status).toBe(201);
  };
  const [one, two] = [await upload('a'), await upload('b')];
  await expect(upload('c')).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('2 MiB of uploaded files that') });
  for (const file of [one, two]) await attach(file);
  await upload('c');
  await expect(upload('d')).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('has 3 MiB of uploaded files;') });
  // Refused uploads leave nothing behind.
  expect(await app.db.query(sql`select from files`)).toHaveLength(3);
});
