import { beforeAll, describe, expect, it } from 'vitest';
import {
  changeRole,
  createMemberKey,
  disableUser,
  listHistory,
  operator,
  removeUser,
  setWorkspace,
  share,
} from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import type { ApiClient } from '../support/api-client.ts';
import { member, workspace } from '../support/people.ts';
import { insertAccount } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

let app: App;
let api: ApiClient;

beforeAll(async () => {
  ({ app, api } = await servedInstallation());
});

/** A workspace with admins, each with a key there. */
async function administered(admins: number) {
  const id = await workspace(app);
  const people = await Promise.all(Array.from({ length: admins }, () => member(app, 'admin', { workspaceId: id })));
  return { id, caller: operator(id), people: people as [(typeof people)[0], ...typeof people] };
}

const enabledAdmins = (workspaceId: number) =>
  app.db.query(sql`
    select 1 from memberships m join users u on u.id = m.user_id and u.disabled_at is null
    where m.workspace_id = ${workspaceId} and m.role = 'admin'`);
const LAST = 'this is the last enabled admin of';

describe('A workspace keeps an enabled admin', () => {
  it('the last enabled admin of any workspace is not removed, demoted or disabled', async () => {
    const { id, caller, people } = await administered(1);
    const [{ id: admin }] = people;
    await expect(removeUser(app, caller, admin)).rejects.toThrow(LAST);
    await expect(changeRole(app, caller, admin, 'manager')).rejects.toThrow(LAST);
    await expect(disableUser(app, caller, admin)).rejects.toThrow(`${LAST} workspace "Workspace`);
    expect(await enabledAdmins(id)).toHaveLength(1);
  });

  it('disabling asks for every workspace that the person administers, and names none that the key may not know', async () => {
    const { id, people } = await administered(1);
    const { email } = people[0];
    await api.post('/users', { name: 'Here too', email, role: 'manager' });
    const answer = await api.post(`/users/${people[0].id}/disable`);
    expect(answer).toMatchObject(refusal(409, 'conflict', `${LAST} a workspace`));
    expect((await enabledAdmins(id)).length).toBe(1);
  });

  it('with another enabled admin each of them goes through; a disabled one does not count', async () => {
    const { id, caller, people } = await administered(3);
    const [first, second, third] = people.map((person) => person.id) as [number, number, number];
    await disableUser(app, caller, first);
    await removeUser(app, caller, second);
    await expect(removeUser(app, caller, third)).rejects.toThrow(LAST);
    await removeUser(app, caller, first);
    expect(await enabledAdmins(id)).toHaveLength(1);
  });

  it.each(['remove', 'demote', 'disable'] as const)('two at once who %s each other: one stays', async (verb) => {
    const acts = {
      remove: (caller: ReturnType<typeof operator>, user: number) => removeUser(app, caller, user),
      demote: (caller: ReturnType<typeof operator>, user: number) => changeRole(app, caller, user, 'manager'),
      disable: (caller: ReturnType<typeof operator>, user: number) => disableUser(app, caller, user),
    };
    for (let round = 0; round < 5; round++) {
      const { id, caller, people } = await administered(2);
      const results = await Promise.allSettled(people.map((person) => acts[verb](caller, person.id)));
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await enabledAdmins(id)).toHaveLength(1);
    }
  });

  it('two at once of different kinds, with admins of two workspaces: each keeps one', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await administered(2);
      const other = await workspace(app);
      for (const { email } of one.people) await member(app, 'admin', { workspaceId: other, email });
      const [a, b] = one.people.map((person) => person.id) as [number, number];
      await Promise.allSettled([
        disableUser(app, one.caller, a),
        removeUser(app, one.caller, b),
        changeRole(app, operator(other), b, 'manager'),
      ]);
      expect((await enabledAdmins(one.id)).length).toBeGreaterThan(0);
      expect((await enabledAdmins(other)).length).toBeGreaterThan(0);
    }
  });
});

describe('user remove', () => {
  it('ends a membership with its keys and shares, and leaves other workspaces alone; one audit entry says so', async () => {
    const { id, caller, people } = await administered(1);
    const [admin] = people;
    const leaving = await member(app, 'manager', { workspaceId: id });
    const elsewhere = await member(app, 'manager', { email: leaving.email });
    const account = await insertAccount(app, { workspace_id: id, is_shared_to_all: false });
    await share(app, caller, 'accounts', account, leaving.id);
    const result = await removeUser(app, caller, leaving.id);
    expect(result).toMatchObject({ user: { email: leaving.email }, revokedKeys: [leaving.keyId], shares: 1 });
    expect((await api.as(leaving.key).get('/me')).status).toBe(401);
    expect((await api.as(elsewhere.key).get('/me')).status).toBe(200);
    expect((await api.as(admin.key).get('/users')).body.data.map((user: { id: number }) => user.id)).toEqual([admin.id]);
    expect(await listHistory(app.db, caller, { resource: { type: 'user', id: leaving.id }, limit: 1 })).toMatchObject([
      {
        action: 'user.remove',
        actor: 'cli',
        changes: { email: leaving.email, role: ['manager', null], revoked_keys: [leaving.keyId], removed_shares: 1 },
      },
    ]);
    await expect(removeUser(app, caller, leaving.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('added again, they get neither keys nor shares back', async () => {
    const { id, caller } = await administered(1);
    const leaving = await member(app, 'manager', { workspaceId: id });
    await removeUser(app, caller, leaving.id);
    const again = await member(app, 'manager', { workspaceId: id, email: leaving.email });
    expect((await api.as(leaving.key).get('/me')).status).toBe(401);
    expect((await api.as(again.key).get('/me')).status).toBe(200);
  });

  it('a key that is made while they are removed does not outlive it', async () => {
    const { id, caller } = await administered(1);
    for (let round = 0; round < 5; round++) {
      const leaving = await member(app, 'manager', { workspaceId: id });
      await Promise.allSettled([removeUser(app, caller, leaving.id), createMemberKey(app, caller, { name: 'late', userId: leaving.id })]);
      expect(await app.db.query(sql`select 1 from api_keys where user_id = ${leaving.id} and revoked_at is null`)).toEqual([]);
    }
  });
});

describe('workspace set', () => {
  it('changes name and time zone, which new campaigns get; the audit entry shows before and after', async () => {
    const { id, caller, people } = await administered(1);
    const { name } = await setWorkspace(app, caller, { timezone: 'Europe/Berlin' });
    expect(await setWorkspace(app, caller, { name: ` ${name} GmbH ` })).toMatchObject({ name: `${name} GmbH`, timezone: 'Europe/Berlin' });
    const account = await insertAccount(app, { workspace_id: id });
    const { body } = await api.as(people[0].key).post('/campaigns', { name: 'C', account_id: account });
    expect(body.timezone).toBe('Europe/Berlin');
    const entries = await listHistory(app.db, caller, { resource: { type: 'workspace', id }, limit: 2 });
    expect(entries).toMatchObject([
      { action: 'workspace.update', changes: { name: [name, `${name} GmbH`] } },
      { action: 'workspace.update', changes: { timezone: [null, 'Europe/Berlin'] } },
    ]);
  });

  it('what is no time zone, and a name that is taken, change nothing', async () => {
    const { caller } = await administered(1);
    await expect(setWorkspace(app, caller, { timezone: 'Mars/Olympus' })).rejects.toThrow('timezone: unknown time zone "Mars/Olympus"');
    await expect(setWorkspace(app, caller, { timezone: '+02:00' })).rejects.toThrow('timezone: unknown time zone "+02:00"');
    await expect(setWorkspace(app, caller, { name: 'default', timezone: 'Europe/Berlin' })).rejects.toThrow('already exists');
    expect(await setWorkspace(app, caller, {})).toMatchObject({ timezone: null });
  });
});
