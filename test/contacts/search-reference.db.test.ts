import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { campaignSearch } from '../../src/campaigns/index.ts';
import { searchContacts } from '../../src/contacts/search/index.ts';
import { OutreachError } from '../../src/core/errors.ts';
import { anyText } from '../support/any-text.ts';
import { testInstallation } from '../support/database.ts';
import { runs } from '../support/runs.ts';
import { askedOf } from '../support/search-asked.ts';
import { queriesOf } from '../support/search-queries.ts';
import { expected, type Node, written } from '../support/search-reference.ts';
import { searchWorld, type World } from '../support/search-world.ts';

const PEOPLE = 250;
const RUNS = Number(process.env.SEARCH_RUNS ?? runs(80, 2_000));
const SEED = Number(process.env.SEARCH_SEED ?? 20_261_121);

let app: App;
let world: World;

beforeAll(async () => {
  const installation = await testInstallation();
  app = installation.app;
  world = await searchWorld(installation, PEOPLE);
});

const search = (query: string, caller = world.admin, page = { limit: PEOPLE, offset: 0 }) =>
  searchContacts(app, caller, query, page, campaignSearch);

describe('searching', () => {
  it(`${RUNS} generated queries find what asking each of ${PEOPLE} contacts one by one finds, for an admin and a manager`, async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(queriesOf(askedOf(world)), fc.constantFrom(world.admin, world.manager), async (node: Node, caller) => {
        const query = written(node);
        fc.pre(query.length <= 1_000);
        const ids = expected(node, { world, caller });
        const answer = await search(query, caller);
        expect(
          answer.data.map(({ id }) => id),
          query,
        ).toEqual(ids);
        expect(answer.pagination.total, query).toBe(ids.length);
        if (ids.length > 0 && ids.length < PEOPLE / 2) found++;
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    // Queries that find no contacts, or nearly all, would agree by accident.
    expect(found).toBeGreaterThan(RUNS / 4);
  }, 180_000);

  it('any text finds something, finds nothing or is refused as invalid_request: never an error of the database', async () => {
    const names = [
      'id',
      'name',
      'domain',
      'list',
      'campaign',
      'status',
      'step',
      'replied',
      'contacted',
      'next_send',
      'owner',
      'created',
      'cf.seen',
      'cf.employees',
      'vip',
      'is',
      'has',
    ];
    const values = [
      '*',
      'none',
      '1',
      '-1e3',
      '9'.repeat(30),
      '1e999',
      '2026-02-30',
      '9999-12-31',
      '0001-01-01',
      '99999y',
      'today',
      'true',
      '%',
      '\\',
      "'",
      '$1',
      '💥',
      '\u{10FFFF}',
      '\uD800',
      '"',
      '"a b"',
    ];
    const piece = fc.oneof(
      fc.constantFrom('(', ')', '-', ' ', ' OR ', ' AND ', 'NOT ', ',', '..', '>', '<=', '='),
      fc
        .tuple(fc.constantFrom(...names), fc.constantFrom('', '>', '<=', '=', '*..'), fc.constantFrom(...values))
        .map(([name, operator, value]) => `${name}:${operator}${value} `),
      anyText({ maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        async (query) => {
          const error = await search(query).then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          if (error !== undefined && !(error instanceof OutreachError && error.code === 'invalid_request'))
            throw new Error(`${JSON.stringify(query)}: ${error}`, { cause: error });
        },
      ),
      { numRuns: RUNS * 2, seed: SEED },
    );
  }, 180_000);

  it('pages follow one another by id, whatever the size', async () => {
    const all = (await search('archived:any')).data.map(({ id }) => id);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    for (const limit of [1, 7, 200]) {
      const pages: number[] = [];
      for (let offset = 0; offset < PEOPLE; offset += limit) {
        const { data, pagination } = await search('archived:any', world.admin, { limit, offset });
        expect(pagination).toEqual({ total: PEOPLE, limit, offset });
        pages.push(...data.map(({ id }) => id));
      }
      expect(pages).toEqual(all);
    }
    expect(await search('archived:any', world.admin, { limit: 10, offset: 100_000 })).toMatchObject({
      data: [],
      pagination: { total: PEOPLE },
    });
  });
});
