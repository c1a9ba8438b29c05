import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { statementsOf } from '../../bench/recorded.ts';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { COUNTED_REPLIES } from '../../src/client/pages.ts';
import { DAY } from '../../src/core/clock.ts';
import { mostCounted } from '../../src/db/page.ts';
import { sql } from '../../src/db/statement.ts';
import { listReplies, listRepliesAfter } from '../../src/replies/index.ts';
import { SEARCH_LIMITS, type SearchLimits, searchReplies, wordsOf } from '../../src/replies/search-replies.ts';
import { testInstallation } from '../support/database.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';

/** Alpha is in every reply, bravo in every third, charlie in few and delta only in old ones. */
const TEXTS = Array.from({ length: 60 }, (_, index) =>
  ['alpha', index % 3 === 0 && 'bravo', index % 17 === 0 && 'charlie', index < 12 && 'delta', `n${index}`].filter(Boolean).join(' '),
);

let app: App;

beforeAll(async () => {
  app = (await testInstallation()).app;
  const enrolment = await insertEnrolment(app, await insertCampaign(app));
  const day = (index: number) => new Date(app.clock.now().getTime() - (TEXTS.length - index) * DAY);
  for (const [index, own_text] of TEXTS.entries())
    await insertReply(app, enrolment, { own_text, received_at: day(index), is_read: index % 2 === 0 });
});

const rest = sql`r.workspace_id = 1 and not r.is_read`;

async function idsOf(q: string): Promise<number[]> {
  const words = (await wordsOf(app.db, q)).join(' & ');
  const rows = await app.db.query<{ id: number }>(
    sql`select r.id from replies r where ${rest} and r.words @@ ${words}::tsquery order by r.received_at desc, r.id desc`,
  );
  return rows.map(({ id }) => id);
}

const find = async (q: string, limits: SearchLimits, page: { limit: number; offset: number }) =>
  searchReplies(app.db, { rest: () => rest, words: await wordsOf(app.db, q), page, limits });

describe('a search of replies', () => {
  const word = fc.constantFrom('alpha', 'al', 'bravo', 'charlie', 'delta', 'n', 'n1', 'n17', 'zulu');
  const few = fc.integer({ min: 1, max: 40 });

  it('finds the same page and counts as far as it promises, whichever steps it takes', async () => {
    await fc.assert(
      fc.asyncProperty(
        ...[fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), few, few, few, few, fc.nat(35)],
        async (words, sampled, scanned, counted, limit, offset) => {
          const q = words.join(' ');
          const all = await idsOf(q);
          const found = await find(q, { sampled, scanned, counted }, { limit, offset });
          expect(found.ids).toEqual(all.slice(offset, offset + limit));
          // Exact up to the most that is counted; where a small table was read as a whole, beyond it, too.
          expect(found.total).toBeLessThanOrEqual(all.length);
          expect(found.total).toBeGreaterThanOrEqual(Math.min(all.length, mostCounted({ limit, offset }, counted)));
        },
      ),
      {
        numRuns: 150,
        // The page ends with the last that is found.
        examples: [[['alpha'], 5, 40, 3, 15, 15]],
      },
    );
  });

  it('is read to its end by whoever asks page by page until the offset is the total', async () => {
    const limits = { sampled: 5, scanned: 10, counted: 3 };
    for (const q of ['alpha', 'bravo', 'delta', 'n1']) {
      const read: number[] = [];
      for (let total = 1; read.length < total; ) {
        const page = await find(q, limits, { limit: 4, offset: read.length });
        read.push(...page.ids);
        total = page.total;
      }
      expect(read).toEqual(await idsOf(q));
    }
  });

  it('looks up the rarest words alone, and compares frequent ones with what they find', async () => {
    const search = {
      rest: () => rest,
      words: ["'alpha':*", "'delta':*"],
      page: { limit: 5, offset: 0 },
      limits: { ...SEARCH_LIMITS, sampled: 20 },
    };
    const asked = await statementsOf(app, ({ db }) => searchReplies(db, search));
    expect(asked).toHaveLength(2);
    expect(asked[1]?.text).toMatch(/r\.words @@ \$\d+::tsquery and \(r\.words @@ \$\d+::tsquery\) is true/);
    expect(asked[1]?.values.slice(0, 2)).toEqual(["'delta':*", "'alpha':*"]);
  });
});

describe('the total of a list that is searched or followed', () => {
  it('is exact where it is small', async () => {
    const page = { limit: 2, offset: 0 };
    expect((await listReplies(app.db, operator(1, 1), { q: 'bravo' }, page)).pagination.total).toBe(20);
    expect((await listRepliesAfter(app.db, operator(1, 1), { q: 'bravo', afterId: 0 }, page)).pagination.total).toBe(20);
  });

  it('is more than the end of the page as long as more may follow', () => {
    expect(SEARCH_LIMITS.counted).toBe(COUNTED_REPLIES);
    expect(mostCounted({ limit: 50, offset: 0 }, 1_000)).toBe(1_001);
    expect(mostCounted({ limit: 50, offset: 5_000 }, 1_000)).toBe(5_051);
  });
});
