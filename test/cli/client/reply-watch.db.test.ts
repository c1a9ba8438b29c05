import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import ReplyWatch from '../../../commands/reply/watch.ts';
import type { Api } from '../../../src/cli/client/api.ts';
import { openLocalApi } from '../../../src/cli/client/local.ts';
import { newReplies } from '../../../src/cli/client/new-replies.ts';
import { createClient } from '../../../src/client/create-client.ts';
import { afterFile } from '../../support/after-file.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../../support/rows.ts';
import { runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';
import { waitUntil } from '../../support/wait-until.ts';

const world = await servedInstallation();
const { app } = world;
const folder = mkdtempSync(join(tmpdir(), 'outreach-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));
const OLD = new Date('2020-01-01T00:00:00Z');

/** Follows new replies. `seen` collects their ids, `troubles` the reported reasons. */
function follow(api: Api, campaign_id: number) {
  const ended = new AbortController();
  const [seen, troubles]: [number[], (string | null)[]] = [[], []];
  const options = {
    signal: ended.signal,
    url: world.url,
    onTrouble: (reason: string | null) => void troubles.push(reason),
    milliseconds: 10,
  };
  const done = (async () => {
    for await (const { id } of newReplies(api, { campaign_id }, options)) seen.push(id);
  })();
  const end = () => {
    ended.abort();
    return done;
  };
  return { seen, troubles, end };
}

/** Wraps an API so that `onList` runs before each list call. */
function through(api: Api, onList: () => Promise<void>): Api {
  const list = {
    query: async (...input: Parameters<Api['replies']['list']['query']>) => onList().then(() => api.replies.list.query(...input)),
  };
  return { replies: { list, get: api.replies.get } } as unknown as Api;
}

async function localApi(): Promise<Api> {
  process.env.OUTREACH_SECRET_KEY = TEST_SECRET;
  process.env.DATABASE_URL = world.databaseUrl;
  const { api, close } = await openLocalApi({ 'data-dir': world.dataDir });
  afterFile(close);
  return api;
}
const remote = createClient({ url: world.url, key: world.adminKey, retries: 0 });

describe('the replies that a watch shows', () => {
  it.each([
    ['here', localApi],
    ['there', async () => remote],
  ] as const)('%s, are those recorded since, each once, whenever they were received', async (_, open) => {
    const api = await open();
    const enrolment = await insertEnrolment(app, await insertCampaign(app));
    await insertReply(app, enrolment);
    await insertReply(app, enrolment, { received_at: OLD });
    let asks = 0;
    const asked = Promise.withResolvers<void>();
    const { seen, end } = follow(
      through(api, async () => void (++asks === 4 && asked.resolve())),
      enrolment.campaignId,
    );
    await asked.promise;
    const fresh = [await insertReply(app, enrolment), await insertReply(app, enrolment, { received_at: OLD })];
    await insertReply(app, enrolment, { kind: 'auto_reply' });
    fresh.push(await insertReply(app, enrolment));
    await waitUntil('all are seen', () => seen.length >= 3);
    await end();
    expect(seen).toEqual(fresh);
  });

  it('lack none that came in while the server did not answer, and that is said once', async () => {
    const enrolment = await insertEnrolment(app, await insertCampaign(app));
    let asks = 0;
    const { seen, troubles, end } = follow(
      through(remote, async () => {
        if (++asks === 4) await insertReply(app, enrolment);
        if (asks === 4) throw new Error('connect ECONNREFUSED');
      }),
      enrolment.campaignId,
    );
    await waitUntil('it is seen', () => seen.length > 0);
    await end();
    expect(seen).toHaveLength(1);
    expect(troubles).toEqual(['connect ECONNREFUSED', null]);
  });

  it('end with the reason when asking again would not help', async () => {
    await expect(follow(createClient({ url: world.url, key: 'ork_wrong' }), 1).end()).rejects.toThrow();
    await expect(
      newReplies(remote, { campaign_id: -1 }, { signal: new AbortController().signal, url: world.url, onTrouble: () => {} }).next(),
    ).rejects.toThrow('campaign_id');
  });
});

describe('outreach reply watch', () => {
  it('prints each reply as JSON on a line, gives it to a command, and says when that fails', async () => {
    const campaign = await insertCampaign(app);
    const enrolment = await insertEnrolment(app, campaign);
    const given = join(folder, 'given');
    const script = `cat >> '${given}'; echo done; [ "$(wc -l < '${given}')" = 2 ]`;
    const args = ['--campaign', String(campaign), '--json', '--exec', script, '--bell'];
    const ran = runCommand(ReplyWatch, args, { OUTREACH_URL: world.url, OUTREACH_API_KEY: world.adminKey });
    const lines = () => (existsSync(given) ? readFileSync(given, 'utf8').split('\n').slice(0, -1) : []);
    // The watch has started once it reports a reply.
    const inserted: number[] = [];
    await waitUntil('the first is given', async () => {
      if (lines().length === 0) inserted.push(await insertReply(app, enrolment, { subject: 'Re: \u001b[2Jhello' }));
      return lines().length > 0;
    });
    inserted.push(await insertReply(app, enrolment));
    await waitUntil('the last is given', () => lines().some((line) => JSON.parse(line).id === inserted.at(-1)));
    process.emit('SIGTERM');
    const { status, stdout, stderr } = await ran;
    const ids = lines().map((line) => JSON.parse(line).id);
    expect(ids).toEqual(inserted.slice(-ids.length));
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ from: 'ada@example.com', text: 'Yes', is_read: false });
    expect(stdout.trimEnd().split('\n')).toEqual(lines().map((line) => line.replaceAll('\u001b', '\\u001b')));
    expect(stderr).toContain(`reply ${ids[0]}: the command of --exec exited with status 1\n`);
    expect(stderr).not.toContain('\u0007');
    expect(status).toBe(0);
  });

  it('prints a line for each, with its time and the zone of that', async () => {
    const campaign = await insertCampaign(app);
    const enrolment = await insertEnrolment(app, campaign);
    const given = join(folder, 'a line');
    const ran = runCommand(ReplyWatch, ['--campaign', String(campaign), '--exec', `touch '${given}'`], {
      ...{ OUTREACH_URL: world.url, OUTREACH_API_KEY: world.adminKey },
    });
    await waitUntil('one is shown', async () => {
      await insertReply(app, enrolment);
      return existsSync(given);
    });
    process.emit('SIGTERM');
    expect((await ran).stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}reply \d+ {2}/);
  });
});
