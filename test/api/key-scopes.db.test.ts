import { describe, expect, it } from 'vitest';
import { type Caller, operator, type Role, type Scope } from '../../src/access/index.ts';
import { connectAccount, listAccounts } from '../../src/accounts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { afterFile } from '../support/after-file.ts';
import { callNative, procedures } from '../support/native.ts';
import { member } from '../support/people.ts';
import { insertAccount } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

// docs/security.md: "A key has scopes"; "can't … redirect a colleague's mailbox".
const sink = await startSmtpSink({ users: { system: 'secret', x: 'y' } });
afterFile(() => sink.close());
const smtpUrl = `smtp://127.0.0.1:${sink.port}`;
const { api, app, url } = await servedInstallation({
  systemSmtpUrl: smtpUrl.replace('//', '//system:secret@'),
  systemFrom: 'outreach@example.org',
});

const connect = async (caller: Caller, email: string) => {
  const { server, password } = parseMailUrl(smtpUrl.replace('//', '//x:y@'), 'smtp', 'smtp_url');
  return connectAccount(app, caller, { email, provider: 'smtp', smtp: { server, secret: { pass: password ?? '' } } });
};
const as = async (role: Role): Promise<Caller> => ({
  ...operator(1, (await member(app, role)).id),
  actor: 'user',
  role,
  isInstallAdmin: false,
});

describe('the scopes of a key', () => {
  it.each<{ scopes: Scope[]; may: (string | undefined)[] }>([
    { scopes: ['read'], may: [undefined, 'read'] },
    { scopes: ['read', 'write'], may: [undefined, 'read', 'write', 'drafts'] },
    { scopes: ['read', 'connect'], may: [undefined, 'read', 'connect'] },
    { scopes: ['drafts'], may: ['drafts'] },
    { scopes: ['admin'], may: ['admin'] },
  ])('$scopes of an admin: everything else is refused, under /trpc and so under /api/v1', async ({ scopes, may }) => {
    const { key } = await member(app, 'admin', { scopes });
    for (const procedure of procedures.filter(({ type, meta }) => type !== 'subscription' && meta.download === undefined)) {
      const { status, code } = await callNative(url, procedure, key);
      if (may.includes(procedure.meta.access)) expect(status, procedure.name).not.toBe(403);
      else expect({ status, code }, procedure.name).toEqual({ status: 403, code: 'forbidden' });
    }
  });

  it('no key makes one that may more than itself; what is not said is everything', async () => {
    const { key, id } = await member(app, 'admin', { scopes: ['read', 'admin'] });
    const made = (scopes?: string[]) => api.as(key).post('/keys', { name: 'k', user_id: id, ...(scopes && { scopes }) });
    expect((await made()).status).toBe(403);
    expect((await made(['read', 'connect'])).status).toBe(403);
    expect(await made(['read'])).toMatchObject({ status: 201, body: { scopes: ['read'] } });
    expect((await api.post('/keys', { name: 'k', user_id: id })).body.scopes).toEqual(['read', 'write', 'connect', 'drafts', 'admin']);
    expect((await api.post('/keys', { name: 'k', user_id: id, scopes: ['everything'] })).status).toBe(400);
  });
});

describe('an account that is connected already', () => {
  it('is connected again by its owner and admins alone; a manager who sees it can not redirect it', async () => {
    const [owner, other, admin] = [await as('manager'), await as('manager'), await as('admin')];
    const account = await insertAccount(app, { email: 'ceo@ours.example', created_by: owner.userId });
    const before = await app.db.query(sql`select smtp, smtp_secret from accounts where id = ${account}`);
    await expect(connect(other, 'CEO@ours.example')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await app.db.query(sql`select smtp, smtp_secret from accounts where id = ${account}`)).toEqual(before);
    for (const caller of [owner, admin]) expect(await connect(caller, 'ceo@ours.example')).toMatchObject({ id: account });
    await app.db.query(sql`update accounts set is_shared_to_all = false where id = ${account}`);
    await expect(connect(other, 'ceo@ours.example')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tells its owner, unless they did it themselves', async () => {
    const owner = await member(app, 'manager', { email: 'owner@ours.example' });
    await insertAccount(app, { email: 'mailbox@ours.example', created_by: owner.id });
    const told = () => sink.messages.filter(({ to }) => to.includes('owner@ours.example'));
    await connect({ ...operator(1, owner.id), actor: 'user' }, 'mailbox@ours.example');
    expect(told()).toEqual([]);
    await connect(await as('admin'), 'mailbox@ours.example');
    expect(told()).toHaveLength(1);
    expect(String(told()[0]?.raw)).toContain('mailbox@ours.example');
  });

  it('without TLS is for admins', async () => {
    const { key } = await member(app, 'manager');
    const procedure = procedures.find(({ name }) => name === 'accountSetup.connect');
    if (procedure === undefined) throw new Error('accounts are connected by another procedure');
    const input = { email: 'new@ours.example', smtp_url: 'smtp://x:y@192.0.2.1:25?tls=off' };
    expect(await callNative(url, procedure, key, { ...input, smtp_url: 'smtp://x:y@8.8.8.8:25?tls=off' })).toMatchObject({ status: 403 });
    expect((await listAccounts(app.db, operator(1), { limit: 50, offset: 0 })).data.map(({ email }) => email)).not.toContain(input.email);
  });
});
