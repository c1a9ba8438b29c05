import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser, type Caller, createWorkspace, operator } from '../../src/access/index.ts';
import {
  type AccountSettings,
  type AccountState,
  getAccount,
  listAccounts,
  setAccount,
  setAccountStatus,
  wakeAccount,
} from '../../src/accounts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { clearAuditLog, TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';

let installation: TestInstallation;
let id: number;

beforeAll(async () => {
  installation = await testInstallation();
});

beforeEach(async () => {
  installation.clock.set(TEST_START);
  await clearAuditLog(installation.app);
  id = await insertAccount(1);
});

/** Logging in is tested elsewhere; here a row is enough. */
async function insertAccount(workspaceId: number, createdBy: number | null = null): Promise<number> {
  const email = `box${Math.random()}@example.com`;
  const [row] = await installation.app.db.query<{ id: number }>(sql`
    insert into accounts (workspace_id, provider, email, smtp, smtp_secret, connected_at, updated_at, created_by)
    values (${workspaceId}, 'smtp', ${email}, '{}', '', ${TEST_START}, ${TEST_START}, ${createdBy}) returning id`);
  return row?.id ?? 0;
}

const set = (patch: Partial<AccountSettings>) => setAccount(installation.app, installation.caller, id, patch);
const audited = () =>
  installation.app.db.query<{ action: string; changes: object }>(sql`select action, changes from audit_log order by id`);
// biome-ignore lint/suspicious/noExplicitAny: any column
async function column(name: string): Promise<any> {
  const [row] = await installation.app.db.query<{ row: Record<string, unknown> }>(
    sql`select to_jsonb(a) as row from accounts a where id = ${id}`,
  );
  return row?.row[name];
}

describe('account settings', () => {
  it('change only the given fields, with the values before in the audit log', async () => {
    const before = await getAccount(installation.app.db, installation.caller, id);
    const patch = {
      timezone: 'Europe/Berlin',
      send_window_start_hour: 22,
      send_window_end_hour: 6,
      daily_send_limit: 0,
      send_batch_min: 3,
    };
    expect(await set({ ...patch, from_name: undefined })).toEqual({ ...before, ...patch });
    expect(await audited()).toEqual([
      {
        action: 'account.update',
        changes: {
          timezone: ['UTC', 'Europe/Berlin'],
          send_window_start_hour: [8, 22],
          send_window_end_hour: [18, 6],
          daily_send_limit: [50, 0],
          send_batch_min: [1, 3],
        },
      },
    ]);
  });

  it('the same again is no change', async () => {
    await set({ timezone: 'UTC', gap_min_seconds: 0 });
    expect(await audited()).toEqual([]);
  });

  it('wake the account, so that they count at once', async () => {
    await installation.app.db.query(sql`update accounts set next_batch_at = '2026-08-01T00:00:00Z' where id = ${id}`);
    await set({ send_batch_max: 9 });
    expect(new Date(await column('next_batch_at'))).toEqual(installation.clock.now());
  });

  it.each<[Partial<AccountSettings>, RegExp]>([
    [{ timezone: 'Mars/Base' }, /^timezone: must be an IANA time zone/],
    [{ send_window_start_hour: 24 }, /^send_window_start_hour: must be a whole number from 0 to 23/],
    [{ send_window_end_hour: 0 }, /^send_window_end_hour: must be a whole number from 1 to 24/],
    [{ send_window_start_hour: 18 }, /^send_window_end_hour: must differ/],
    [{ send_batch_min: 4 }, /^send_batch_min: must be at most send_batch_max, which is 3/],
    [{ send_batch_min: 0 }, /^send_batch_min: must be a whole number from 1 to/],
    [{ send_batch_max: 1.5 }, /^send_batch_max: must be a whole number from 1 to/],
    [{ send_batch_interval_minutes: 0 }, /^send_batch_interval_minutes: must be a whole number from 1 to 1440/],
    [{ daily_send_limit: -1 }, /^daily_send_limit: must be a whole number from 0 to/],
    [{ gap_min_seconds: 5 }, /^gap_min_seconds: must be at most gap_max_seconds/],
    [{ from_name: 'Zoë\r\nBcc: all@example.com' }, /^from_name: must not contain line breaks/],
    [{ from_name: 'x'.repeat(256) }, /^from_name: at most 255/],
    [{ ramp_increment: 5 }, /^ramp_start: required/],
    [{ ramp_start: 5 }, /^ramp_increment: required/],
    [{ ramp_start: 5, ramp_increment: 5, ramp_ceiling: 4 }, /^ramp_ceiling: must be at least ramp_start/],
    [{ signature_template_id: 999 }, /^signature_template_id: there is no signature with the id 999/],
    [{ tracking_host: 'not a host' }, /^tracking_host: /],
    [{ tracking_host: 'https://links.example.com/path' }, /^tracking_host: /],
    // RFC 2919 §2: a label and a domain, at most 255 octets.
    [{ list_id: 'offers' }, /^list_id: /],
    [{ list_id: 'offers.example.com>\r\nBcc: x' }, /^list_id: /],
    [{ list_id: `${'a'.repeat(250)}.ab.com` }, /^list_id: /],
    [{ tracking_host: 'ftp://links.example.com' }, /^tracking_host: /],
  ])('%j is refused, naming the field, and changes nothing', async (patch, message) => {
    const before = await column('updated_at');
    await expect(set({ daily_send_limit: 7, ...patch })).rejects.toThrow(message);
    expect(await column('updated_at')).toBe(before);
    expect(await column('daily_send_limit')).toBe(50);
  });

  it('a ramp-up begins on the local day on which it is asked for, and none ends it', async () => {
    installation.clock.set('2026-07-07T12:00:00Z');
    await set({ timezone: 'Pacific/Kiritimati', ramp_start: 5, ramp_increment: 2, ramp_ceiling: 40 });
    expect(await column('ramp_started_on')).toBe('2026-07-08');
    installation.clock.set('2026-07-10T12:00:00Z');
    await set({ ramp_increment: 3 });
    expect(await column('ramp_started_on')).toBe('2026-07-08');
    await set({ ramp_start: null });
    expect([await column('ramp_started_on'), await column('ramp_increment'), await column('ramp_ceiling')]).toEqual([null, null, null]);
  });

  it('a signature is a signature template of the workspace, and a tracking host an origin', async () => {
    const [template] = await installation.app.db.query<{ id: number; type: string }>(sql`
      insert into templates (workspace_id, name, type, body_html, created_at, updated_at)
      values (1, 'T', 'template', 'x', now(), now()), (1, 'S', 'signature', 'x', now(), now()) returning id`);
    await expect(set({ signature_template_id: template?.id ?? 0 })).rejects.toThrow(/no signature/);
    await set({ signature_template_id: (template?.id ?? 0) + 1, tracking_host: 'links.example.com' });
    expect(await column('signature_template_id')).toBe((template?.id ?? 0) + 1);
    expect(await column('tracking_host')).toBe('https://links.example.com');
    await set({ signature_template_id: null, tracking_host: null });
    expect([await column('signature_template_id'), await column('tracking_host')]).toEqual([null, null]);
  });
});

describe('who sees an account', () => {
  it('an account of another workspace is not found, to read and to change', async () => {
    const { app } = installation;
    const elsewhere = operator(await app.db.tx((tx) => createWorkspace(tx, app, null, { name: `W${id}` })));
    await expect(getAccount(app.db, elsewhere, id)).rejects.toThrow('account not found');
    await expect(setAccount(app, elsewhere, id, { daily_send_limit: 1 })).rejects.toThrow('account not found');
    expect((await listAccounts(app.db, elsewhere, { limit: 50, offset: 0 })).pagination.total).toBe(0);
  });

  it('one that is not shared to all is seen by its creator, admins and whom it is shared with', async () => {
    const { app, caller } = installation;
    const people = await app.db.tx(async (tx) => [
      (await addUser(tx, app, caller, { email: `a${id}@example.com`, name: 'A', role: 'manager' })).id,
      (await addUser(tx, app, caller, { email: `b${id}@example.com`, name: 'B', role: 'manager' })).id,
    ]);
    const [creator, other] = people.map((userId): Caller => ({ ...operator(1, userId), actor: 'user', role: 'manager' })) as [
      Caller,
      Caller,
    ];
    const hidden = await insertAccount(1, creator.userId);
    await setAccount(app, creator, hidden, { is_shared_to_all: false });
    expect((await getAccount(app.db, creator, hidden)).id).toBe(hidden);
    expect((await getAccount(app.db, caller, hidden)).id).toBe(hidden);
    await expect(getAccount(app.db, other, hidden)).rejects.toThrow('account not found');
    await expect(setAccount(app, other, id, { is_shared_to_all: false })).rejects.toThrow('account not found');
    const ids = (await listAccounts(app.db, other, { limit: 200, offset: 0 })).data.map((account) => account.id);
    expect(ids).not.toContain(hidden);
    expect(ids).toContain(id);
  });
});

describe('the state of an account', () => {
  const to = (state: AccountState) =>
    installation.app.db.tx((tx) => setAccountStatus(tx, installation.app, installation.caller, id, state));
  const error: AccountState = { status: 'paused', pause_reason: 'provider_error', pause_message: '550 blocked' };

  it('is audited when it changes, and only then', async () => {
    await to(error);
    await to(error);
    expect(await getAccount(installation.app.db, installation.caller, id)).toMatchObject(error);
    expect(await audited()).toEqual([
      {
        action: 'account.pause',
        changes: { status: ['active', 'paused'], pause_reason: [null, 'provider_error'], pause_message: [null, '550 blocked'] },
      },
    ]);
  });

  it('pause_message is shown with provider_error only', async () => {
    await to({ status: 'paused', pause_reason: 'provider_limit', pause_message: '550 5.4.5 limit' });
    expect(await getAccount(installation.app.db, installation.caller, id)).toMatchObject({
      pause_reason: 'provider_limit',
      pause_message: null,
    });
  });

  it('an account that becomes active forgets its failures and is woken', async () => {
    await to(error);
    await installation.app.db.query(sql`update accounts set connection_failures = 3, refusal_marks = '{4,5}' where id = ${id}`);
    await to({ status: 'active', pause_reason: null, pause_message: null });
    expect([await column('connection_failures'), await column('refusal_marks'), await column('paused_at')]).toEqual([0, [], null]);
    expect(new Date(await column('next_batch_at'))).toEqual(installation.clock.now());
  });

  it('waking never puts a batch off', async () => {
    const wake = (at: string) => installation.app.db.tx((tx) => wakeAccount(tx, id, new Date(at)));
    await wake('2026-07-07T13:00:00Z');
    await wake('2026-07-07T14:00:00Z');
    expect(new Date(await column('next_batch_at'))).toEqual(new Date('2026-07-07T13:00:00Z'));
    await wake('2026-07-07T12:30:00Z');
    expect(new Date(await column('next_batch_at'))).toEqual(new Date('2026-07-07T12:30:00Z'));
  });
});
