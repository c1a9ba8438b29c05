import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { operator } from '../src/access/index.ts';
import { DAY } from '../src/core/clock.ts';
import { loadConfig } from '../src/core/config.ts';
import { createLogger } from '../src/core/log.ts';
import { install } from '../src/main/install.ts';
import { openRuntime } from '../src/main/runtime.ts';
import { listReplies, newestReplyId, type ReplyFilter } from '../src/replies/index.ts';
import { benchInstallation } from './installation.ts';
import { type Measurement, perSecond } from './measure.ts';
import { seedReplies } from './seed-replies.ts';
import { seedWorld } from './world.ts';

const REPLIES = 1_000_000;
const CONTACTS = 100_000;
/** The seed begins two years ago. */
const LONG_AGO = new Date(Date.now() - 700 * DAY);
const FIRST = { limit: 50, offset: 0 };

/** The filters, each with the condition that a query without visibility needs. */
const QUERIES: Readonly<Record<string, { filter: ReplyFilter; bare: string }>> = {
  'replies-list': { filter: {}, bare: 'true' },
  'replies-unread': { filter: { isRead: false }, bare: 'not is_read' },
  'replies-since': { filter: { since: LONG_AGO }, bare: `received_at >= '${LONG_AGO.toISOString()}'` },
  'replies-search': { filter: { q: 'word4711 word3' }, bare: `words @@ '''word4711'':* & ''word3'':*'` },
  'replies-search-common': { filter: { q: 'word3' }, bare: `words @@ '''word3'':*'` },
};

const COLUMNS = `id, kind, campaign_id, contact_id, account_id, step_order, sender, sender_name, subject, left(own_text, 500), label, is_read,
  assigned_to, received_at, answered_at`;

let opened: ReturnType<typeof open> | undefined;
let inUse = 0;

/**
 * Opens an installation with a million replies, for all rows of a run. With BENCH_REPLIES they are in the database of that URL, and stay
 * there.
 */
async function open() {
  const { BENCH_REPLIES: kept, BENCH_DATABASE_URL: serverUrl } = process.env;
  const installation = kept === undefined ? await benchInstallation(serverUrl === undefined ? {} : { serverUrl }) : await keptIn(kept);
  if ((await newestReplyId(installation.app.db)) === 0) {
    const { big } = await seedWorld(installation.app, CONTACTS, 2 * CONTACTS);
    await seedReplies(installation.app, big.campaigns, REPLIES);
  }
  const bare = new pg.Pool({ connectionString: installation.databaseUrl, max: 2 });
  return { ...installation, bare };
}

async function keptIn(databaseUrl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-bench-'));
  const runtime = await openRuntime(loadConfig({ dataDir, port: 0, logLevel: 'warn', databaseUrl }, {}), {
    log: createLogger('error'),
    poolSize: 20,
  });
  await install(runtime.app);
  const remove = async () => {
    await runtime.close();
    rmSync(dataDir, { recursive: true });
  };
  return { app: runtime.app, databaseUrl, remove };
}

/** A page of replies with its total, as the API reads it, against the same two statements without visibility on a bare pool. */
export const replyRows: readonly Measurement[] = Object.entries(QUERIES).map(([name, { filter, bare: condition }]) => ({
  name,
  unit: 'pages/s',
  rounds: 5,
  async prepare() {
    opened ??= open();
    inUse++;
    const { app, bare, remove } = await opened;
    const where = `workspace_id = 1 and kind in ('reply', 'colleague') and ${condition}`;
    let total = 0;
    return {
      ours: () =>
        perSecond(async () => {
          total = (await listReplies(app.db, operator(1, 1), filter, FIRST)).pagination.total;
        }),
      ceiling: () =>
        perSecond(() =>
          Promise.all([
            bare.query(`select ${COLUMNS} from replies where ${where} order by received_at desc, id desc limit 50`),
            bare.query(`select count(*) from replies where ${where}`),
          ]),
        ),
      note: () => `${REPLIES} replies, total ${total}`,
      async close() {
        if (--inUse > 0 || name !== Object.keys(QUERIES).at(-1)) return;
        await bare.end();
        await remove();
      },
    };
  },
}));
