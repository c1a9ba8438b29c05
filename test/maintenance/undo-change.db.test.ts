import { describe, expect, it } from 'vitest';
import HistoryShow from '../../commands/history/show.ts';
import HistoryUndo from '../../commands/history/undo.ts';
import { setAccount } from '../../src/accounts/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { member, workspace } from '../support/people.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertMail } from '../support/rows.ts';
import { runCommand } from '../support/run-command.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const world = await servedInstallation();
const { api, app, clock } = world;
const there = { OUTREACH_URL: world.url, OUTREACH_API_KEY: world.adminKey };

const latest = async (resource: string): Promise<number> => (await api.get(`/history?resource=${resource}`)).body.data[0].id;
const undo = (id: number) => api.post(`/history/${id}/undo`);

describe('docs/operating.md, "Undoing a change"', () => {
  it('of a campaign, its options, a step, a contact and an account, through the rules of every change, and so can taking it back', async () => {
    const account = await insertAccount(app);
    const campaign = await insertCampaign(app, { account_id: account }, [{ body_html: '<p>Hello</p>' }]);
    const contact = await insertContact(app, { name: 'Ada', email: 'ada@undo.example' });
    const [step] = (await api.get(`/campaigns/${campaign}/steps`)).body.data;
    const changes: [resource: string, path: string, patch: object][] = [
      [`campaigns/${campaign}`, `/campaigns/${campaign}`, { sending_days: [1, 2], name: 'Other' }],
      [`campaigns/${campaign}`, `/campaigns/${campaign}/options`, { stop_company: true, holidays: 'DE-BY', cc: ['boss@x.example'] }],
      [`campaigns/${campaign}`, `/campaigns/${campaign}/steps/${step.id}`, { body_html: '<p>Hi</p>', wait_days: 3 }],
      [`contacts/${contact}`, `/contacts/${contact}`, { name: 'Grace', email: 'grace@undo.example', company: 'X' }],
    ];
    for (const [resource, path, patch] of changes) {
      const read = async () => {
        const { updated_at: _, ...record } = (await api.get(path.includes('/steps/') ? path.replace(/\/\d+$/, '') : path)).body;
        return record.data ?? record;
      };
      const before = await read();
      expect((await api.patch(path, patch)).status, path).toBe(200);
      const id = await latest(resource);
      const after = await read();
      expect(after, path).not.toEqual(before);
      expect((await api.get(`/history/${id}`)).body, path).toMatchObject({ undo_refused: null });
      expect((await undo(id)).status, path).toBe(200);
      expect(await read(), path).toEqual(before);
      expect((await undo(await latest(resource))).status, path).toBe(200);
      expect(await read(), path).toEqual(after);
    }
    await setAccount(app, world.caller, account, { daily_send_limit: 7 });
    expect((await undo(await latest(`accounts/${account}`))).status).toBe(200);
    expect((await api.get(`/accounts/${account}`)).body.daily_send_limit).not.toBe(7);
  });

  it('not where an email has left with it since: the refusal says which; a field that no email carries goes back all the same', async () => {
    const contact = await insertContact(app, { email: 'bob@undo.example' });
    const campaign = await insertCampaign(app, {}, [{}]);
    const mail = await insertMail(app, await insertEnrolment(app, campaign, { contact_id: contact }));
    const left = (minutes: number) =>
      app.db.query(sql`update outbox set transmitting_at = ${new Date(clock.now().getTime() + minutes * MINUTE)} where id = ${mail}`);
    await left(-5);
    await api.patch(`/contacts/${contact}`, { company: 'Acme' });
    const id = await latest(`contacts/${contact}`);
    expect((await api.get(`/history/${id}`)).body.undo_refused).toBeNull();
    await left(5);
    expect(await undo(id)).toMatchObject(refusal(409, 'conflict', '1 email left with the new company since, the last to '));
    await api.patch(`/campaigns/${campaign}`, { sending_hour_end: 12 });
    expect((await undo(await latest(`campaigns/${campaign}`))).status).toBe(200);
  });

  it('not where it was changed again, deleted, or is of another kind; in other workspaces there is none', async () => {
    const contact = await insertContact(app, { email: 'eve@undo.example' });
    await api.patch(`/contacts/${contact}`, { company: 'One' });
    const id = await latest(`contacts/${contact}`);
    await api.patch(`/contacts/${contact}`, { company: 'Two' });
    expect(await undo(id)).toMatchObject(refusal(409, 'conflict', 'changed again since: company'));
    await undo(await latest(`contacts/${contact}`));
    const stranger = api.as((await member(app, 'admin', { workspaceId: await workspace(app) })).key);
    expect(await stranger.post(`/history/${id}/undo`)).toMatchObject(refusal(404, 'not_found'));
    expect(await api.as((await member(app, 'manager')).key).post(`/history/${id}/undo`)).toMatchObject(refusal(403, 'forbidden'));
    await api.delete(`/contacts/${contact}`);
    expect(await undo(id)).toMatchObject(refusal(409, 'conflict', 'it was deleted since'));
    expect(await undo(await latest(`contacts/${contact}`))).toMatchObject(refusal(409, 'conflict', 'not contact.delete'));
  });

  it('at the terminal as a diff', async () => {
    const campaign = await insertCampaign(app, {}, [{ body_html: '<p>One</p><p>Two</p>' }]);
    const [step] = (await api.get(`/campaigns/${campaign}/steps`)).body.data;
    await api.patch(`/campaigns/${campaign}/steps/${step.id}`, { body_html: '<p>One</p><p>Three</p>', wait_days: 2 });
    const id = String(await latest(`campaigns/${campaign}`));
    const { stdout } = await runCommand(HistoryShow, [id], there);
    expect(stdout).toContain(' <p>One</p>\n-<p>Two</p>\n+<p>Three</p>');
    expect(stdout).toContain('- wait_days: 0\n+ wait_days: 2');
    expect(stdout).toContain(`outreach history undo ${id}`);
    expect((await runCommand(HistoryUndo, [id], there)).stdout).toMatch(/\+<p>Two<\/p>[\s\S]*Undone: step\.update of campaign/);
    expect(await runCommand(HistoryUndo, ['x'], there)).toMatchObject({ stderr: expect.stringContaining('is not the id of an entry') });
  });
});
