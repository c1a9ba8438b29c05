import { beforeAll, describe, expect, it } from 'vitest';
import { listTrash, operator, restoreFromTrash } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { createContact } from '../../src/contacts/index.ts';
import { raw, sql } from '../../src/db/statement.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { trashKinds } from '../../src/maintenance/trash-kinds.ts';
import { testInstallation } from '../support/database.ts';
import { workspace } from '../support/people.ts';

let app: App;

beforeAll(async () => {
  ({ app } = await testInstallation());
});

const DELETED = "'2026-07-01T00:00:00Z'";
const trash = (type?: string) =>
  listTrash(app.db, { ...operator(1), isEverywhere: true }, trashKinds, type === undefined ? {} : { type }, { limit: 50, offset: 0 }).then(
    ({ data }) => data,
  );
const restore = (type: string, id: number) => restoreFromTrash(app, { ...operator(1), isEverywhere: true }, trashKinds, type, id);

/** A row put there directly: these tests are about the trash, not about how a thing is made. */
async function insert(table: string, columns: string, values: string, workspaceId = 1): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into ${raw(table)} (workspace_id, ${raw(columns)}) values (${workspaceId}, ${raw(values)}) returning id`,
  );
  return row?.id ?? 0;
}

const CONTACT = 'email, created_at, updated_at, deleted_at';
const CAMPAIGN = 'name, account_id, timezone, status, paused_by_account, created_at, updated_at, deleted_at';

let accounts = 0;
const insertAccount = (deleted: string, state = "'active', null") =>
  insert(
    'accounts',
    'provider, email, smtp, smtp_secret, status, pause_reason, connected_at, updated_at, deleted_at',
    `'smtp', 'box${++accounts}@example.com', '{}', '', ${state}, now(), now(), ${deleted}`,
  );

describe('the trash', () => {
  it.each([
    ['contacts', CONTACT, `'gone@example.com', now(), now(), ${DELETED}`, 'gone@example.com'],
    ['lists', 'name, created_at, deleted_at', `'Leads', now(), ${DELETED}`, 'Leads'],
    ['custom-fields', 'name, key, field_type, created_at, deleted_at', `'Size', 'size', 'text', now(), ${DELETED}`, 'Size'],
    ['templates', 'name, type, body_html, created_at, updated_at, deleted_at', `'T', 'template', '<p></p>', now(), now(), ${DELETED}`, 'T'],
  ])('%s are listed and come back, audited', async (type, columns, values, name) => {
    const table = type.replace('-', '_');
    const id = await insert(table, columns, values);
    const row = { type, id, name, workspace_id: 1 };
    expect(await trash(type)).toEqual([{ ...row, workspace_name: 'Default', deleted_at: '2026-07-01 00:00:00' }]);
    expect(await restore(type, id)).toEqual(row);
    expect(await trash(type)).toEqual([]);
    expect(await app.db.query(sql`select 1 from ${raw(table)} where id = ${id} and deleted_at is null`)).toHaveLength(1);
    const resource = table.slice(0, -1);
    const audit = await app.db.query(
      sql`select actor, action from audit_log where resource_type = ${resource} and resource_id = ${id} order by id`,
    );
    expect(audit).toEqual([{ actor: 'cli', action: `${resource}.restore` }]);
    await expect(restore(type, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('holds nobody who was erased: nothing is left to restore', async () => {
    const { id } = await createContact(app, operator(1), { email: 'erased@example.com' });
    await erasePerson(app, operator(1), 'erased@example.com');
    expect((await trash('contacts')).filter((row) => row.id === id)).toEqual([]);
    await expect(restore('contacts', id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await app.db.query(sql`select from contacts where id = ${id} and deleted_at is null`)).toEqual([]);
  });

  it('holds what was deleted last first, of every workspace', async () => {
    const other = await workspace(app);
    const old = await insert('lists', 'name, created_at, deleted_at', "'Old', now(), '2026-05-01T00:00:00Z'", other);
    const young = await insert('contacts', CONTACT, "'young@example.com', now(), now(), '2026-06-01T00:00:00Z'");
    const rows = (await trash()).map(({ type, id }) => `${type} ${id}`);
    expect(rows.indexOf(`contacts ${young}`)).toBeLessThan(rows.indexOf(`lists ${old}`));
    const { data: narrowed } = await listTrash(app.db, operator(other), trashKinds, {}, { limit: 50, offset: 0 });
    expect(narrowed.map(({ id }) => id)).toEqual([old]);
  });

  it('a contact whose address a live contact has is not restored', async () => {
    const id = await insert('contacts', CONTACT, `'Taken@example.com', now(), now(), ${DELETED}`);
    await insert('contacts', CONTACT, "'taken@example.com', now(), now(), null");
    await expect(restore('contacts', id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('another contact has this address'),
    });
    expect(await trash('contacts')).toContainEqual(expect.objectContaining({ id }));
    expect(await app.db.query(sql`select 1 from audit_log where action = 'contact.restore' and resource_id = ${id}`)).toEqual([]);
  });

  it.each([
    ['active', 'paused'],
    ['paused', 'paused'],
    ['draft', 'draft'],
    ['completed', 'completed'],
  ])('a campaign that was %s comes back %s, and no account resume restarts it', async (before, after) => {
    const account = await insertAccount('null');
    const id = await insert('campaigns', CAMPAIGN, `'Spring', ${account}, 'UTC', '${before}', true, now(), now(), ${DELETED}`);
    await restore('campaigns', id);
    const [row] = await app.db.query(sql`select status, paused_by_account from campaigns where id = ${id}`);
    expect(row).toEqual({ status: after, paused_by_account: false });
  });

  it.each([
    ["'active', null", 'paused', 'manual'],
    ["'paused', 'provider_limit'", 'paused', 'manual'],
    ["'paused', 'provider_error'", 'paused', 'provider_error'],
    ["'disconnected', 'provider_error'", 'disconnected', 'provider_error'],
  ])('an account in the state %s comes back %s (%s)', async (state, status, reason) => {
    const id = await insertAccount(DELETED, state);
    await restore('accounts', id);
    const [row] = await app.db.query(sql`select status, pause_reason, deleted_at from accounts where id = ${id}`);
    expect(row).toEqual({ status, pause_reason: reason, deleted_at: null });
  });

  it('an unknown type is refused with the known ones', async () => {
    await expect(restore('steps', 1)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'type: must be one of campaigns, templates, contacts, lists, custom-fields, accounts',
    });
  });
});
