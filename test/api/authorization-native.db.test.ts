import { beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/access/index.ts';
import { callNative, procedures } from '../support/native.ts';
import { type Ids, makeOneOfEach, pathWith } from '../support/one-of-each.ts';
import { operationsOf } from '../support/openapi.ts';
import { member, workspace } from '../support/people.ts';
import { insertContact, insertEnrolment, insertRow } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

const { api, app, caller, url, adminKey } = await servedInstallation({ webhooksAllowPrivate: true });
const { operations } = await operationsOf(url);

let foreign: Ids;
let foreignCall: number;
beforeAll(async () => {
  const workspaceId = await workspace(app);
  const stranger = await member(app, 'admin', { workspaceId });
  foreign = await makeOneOfEach(app, api.as(stranger.key), workspaceId, stranger.id);
  const contact_id = await insertContact(app, { workspace_id: workspaceId });
  const { id } = await insertEnrolment(app, foreign.campaigns ?? 0, { workspace_id: workspaceId, contact_id });
  foreignCall = await insertRow(app, 'call_tasks', {
    ...{ workspace_id: workspaceId, campaign_id: foreign.campaigns, enrolment_id: id, step_id: foreign.steps },
    ...{ due_at: app.clock.now(), created_at: app.clock.now() },
  });
});

const asked = procedures.filter(({ type }) => type !== 'subscription');

describe('for every procedure at /trpc', () => {
  it('no key gives 401', async () => {
    for (const procedure of asked)
      expect(await callNative(url, procedure, ''), procedure.name).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a revoked key gets 401 on the next request, and so does a disabled user', async () => {
    const [revoked, disabled] = [await member(app, 'admin'), await member(app, 'admin')];
    for (const { key } of [revoked, disabled]) expect((await api.as(key).get('/me')).status).toBe(200);
    await revokeKey(app, caller, revoked.keyId);
    await api.post(`/users/${disabled.id}/disable`);
    for (const { key } of [revoked, disabled])
      for (const procedure of asked)
        expect(await callNative(url, procedure, key), procedure.name).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a view_only key gets 403 on what writes and what is for admins, and nowhere else', async () => {
    const { key } = await member(app, 'view_only');
    for (const procedure of asked) {
      const { status, code } = await callNative(url, procedure, key);
      // A download has only a REST path.
      if (procedure.meta.download !== undefined) expect(status, procedure.name).toBe(415);
      else if ((procedure.meta.access ?? 'read') === 'read') expect([200, 400, 404], procedure.name).toContain(status);
      else expect({ status, code }, procedure.name).toEqual({ status: 403, code: 'forbidden' });
    }
  });

  it('whatever changes something asks for more than reading', () => {
    const open = procedures.filter(({ type, meta }) => type === 'mutation' && (meta.access ?? 'read') === 'read');
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  /** Procedures served only under /trpc, with an input for a record of the other workspace; null for those that are not about a record. */
  const NATIVE_ALONE: Record<string, (() => object) | null> = {
    'accountSetup.set': () => ({ id: foreign.accounts, settings: { daily_send_limit: 1 } }),
    'accountSetup.setDkim': () => ({ id: foreign.accounts, dkim: {} }),
    'accountSetup.folderWarnings': () => ({ id: foreign.accounts }),
    'accountPlacements.startWithSeeds': () => ({
      ...{ id: foreign.accounts, to: [] },
      seeds: [{ imap_url: 'imaps://ann%40seeds.test@imap.seeds.test', imap_password: 'secret' }],
    }),
    'campaignSetup.create': null,
    'campaignSetup.set': () => ({ id: foreign.campaigns, name: 'Taken' }),
    'rotations.removeAccounts': () => ({ id: foreign.rotations, account_ids: [foreign.accounts] }),
    'accountSetup.signInAddress': null,
    'accountSetup.connect': null,
    'access.setWorkspace': null,
    'access.scopes': null,
    'access.workspaceSettings': null,
    'people.add': null,
    'people.invite': () => ({ email: 'nobody@example.org' }),
    'people.disable': () => ({ email: 'nobody@example.org' }),
    'people.enable': () => ({ email: 'nobody@example.org' }),
    'live.progress': () => ({ id: foreign.campaigns }),
    'live.closeCall': () => ({ id: foreignCall, outcome: 'done', note: null }),
  };

  it("another workspace's things answer 404", async () => {
    const inputs = new Map<string, object>();
    for (const { name, meta } of asked) {
      const { openapi } = meta;
      if (openapi === undefined && NATIVE_ALONE[name] !== null) inputs.set(name, NATIVE_ALONE[name]?.() ?? {});
      const operation = operations.find(({ method, path }) => method === openapi?.method && path === openapi.path);
      if (operation === undefined || !/\{(\w+_)?id\}/.test(operation.path)) continue;
      const names = operation.path.split('/').filter((segment) => segment.startsWith('{'));
      const values = pathWith(operation, foreign).split('/');
      const ids = names.map((segment): [string, number] => [
        segment.slice(1, -1),
        Number(values[operation.path.split('/').indexOf(segment)]),
      ]);
      inputs.set(name, Object.fromEntries(ids));
    }
    expect(inputs.size).toBeGreaterThan(40);
    for (const procedure of asked) {
      const input = inputs.get(procedure.name);
      if (input === undefined) continue;
      const { status, code } = await callNative(url, procedure, adminKey, input);
      expect({ status, code }, procedure.name).toEqual({ status: 404, code: 'not_found' });
    }
    const [row] = (await app.db.pool.query('select status from call_tasks where id = $1', [foreignCall])).rows;
    expect(row).toEqual({ status: 'pending' });
  });
});
