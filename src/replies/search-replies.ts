import { invalid } from '../core/errors.ts';
import { mostCounted, type PageRequest } from '../db/page.ts';
import { empty, join, type Queryable, type Sql, sql } from '../db/statement.ts';

/** Number of replies that each stage of a search examines. */
export interface SearchLimits {
  /** Newest replies examined first, to estimate how common the words are. */
  sampled: number;
  /** Newest replies scanned for a page of common words. */
  scanned: number;
  /** Number of replies up to which the total is exact. */
  counted: number;
}

/** The ids of a page in order, and the total as far as it is counted (see `mostCounted`). */
interface FoundPage {
  total: number;
  ids: number[];
}

interface Search {
  /** Returns the condition on replies `r` apart from their words. @param examined rough number of rows that are examined */
  rest: (examined: number) => Sql;
  /** Tsqueries, all of which must match. */
  words: readonly string[];
  page: PageRequest;
  limits: SearchLimits;
}

export const SEARCH_LIMITS: SearchLimits = { sampled: 1_000, scanned: 40_000, counted: 1_000 };

/** Share of matches in the sample from which the newest replies are scanned instead of the word index. */
const SCAN_SHARE = 0.05;
/** Share of matches in the sample from which a word filters the results of the other words instead of being looked up. */
const FILTER_SHARE = 0.2;

/**
 * Finds a page of the replies with these words, newest first. The word index is not ordered by time, and collects all replies with a
 * matching word before it returns the first: of a million replies, 20 ms if one in a hundred matches and 2 s if most match. So a sample of
 * the newest replies shows how common the words are. A page of common words comes from a scan of the newest replies; for rare words, all
 * matches are looked up and sorted.
 */
export async function searchReplies(db: Queryable, search: Search): Promise<FoundPage> {
  const { page, limits } = search;
  const sample = await readSample(db, search);
  if (sample.examined < limits.sampled) return sample;
  const most = mostCounted(page, limits.counted);
  const common = sample.total >= limits.sampled * SCAN_SHARE ? await scanNewest(db, search, most) : undefined;
  if (common?.total === most) return common;
  const looked = lookUp(search, sample.each);
  const few = await findUpToCounted(db, search, looked);
  if (few.total <= limits.counted) return few;
  // There are more matches than we count, but for a page beyond that number it is unknown if another reply follows it.
  const end = page.offset + page.limit;
  const enough = end <= limits.counted ? end : most;
  const scanned = common ?? (await scanNewest(db, search, enough));
  return scanned.total >= enough ? { total: most, ids: scanned.ids } : sortAll(db, search, looked, most);
}

/** Examines the newest replies, and counts those with all words and those with each word. Indexes: those of `listReplies`. */
async function readSample(db: Queryable, { rest, words, page, limits }: Search): Promise<FoundPage & { examined: number; each: number[] }> {
  const each = words.map((word) => sql`count(*) filter (where n.words @@ ${word}::tsquery)::int`);
  const found = sql`newest n where n.words @@ ${words.join(' & ')}::tsquery`;
  const [row] = await db.query<FoundPage & { examined: number; each: number[] }>(sql`
    with newest as materialized (
      select r.id, r.received_at, r.words from replies r where ${rest(limits.sampled)} order by r.received_at desc, r.id desc limit ${limits.sampled}
    )
    select (select count(*)::int from newest) as examined, (select array[${join(each)}] from newest n) as each,
      (select count(*)::int from ${found}) as total,
      array(select n.id from ${found} order by n.received_at desc, n.id desc limit ${page.limit} offset ${page.offset}) as ids`);
  return row ?? { examined: 0, each: [], total: 0, ids: [] };
}

/** Scans the newest replies until `enough` are found. Indexes: those of `listReplies`. */
async function scanNewest(db: Queryable, { rest, words, page, limits }: Search, enough: number): Promise<FoundPage> {
  return pageFrom(
    db,
    sql`select r.id, r.received_at from (
        select r.id, r.received_at, r.words from replies r where ${rest(limits.scanned)} order by r.received_at desc, r.id desc limit ${limits.scanned}
      ) r where r.words @@ ${words.join(' & ')}::tsquery order by r.received_at desc, r.id desc limit ${enough}`,
    page,
  );
}

/**
 * Condition: replies `r` contain all words. The index looks up the rarest words; looking up a frequent word would take longer than
 * filtering the results of the others by it. Index: replies_words.
 */
function lookUp({ words, limits }: Search, each: readonly number[]): Sql {
  const least = Math.min(...each);
  const isRare = (_: string, index: number) => (each[index] ?? 0) < limits.sampled * FILTER_SHARE || each[index] === least;
  const rare = words.filter(isRare);
  const others = words.filter((word) => !rare.includes(word));
  const compared = others.length === 0 ? empty : sql` and (r.words @@ ${others.join(' & ')}::tsquery) is true`;
  return sql`r.words @@ ${rare.join(' & ')}::tsquery${compared}`;
}

/** Finds up to one match more than are counted. If it finds that many, the result is not a valid page. */
const findUpToCounted = (db: Queryable, { rest, page, limits }: Search, looked: Sql): Promise<FoundPage> =>
  pageFrom(
    db,
    sql`select r.id, r.received_at from replies r where ${looked} and ${rest(limits.counted)} limit ${limits.counted + 1}`,
    page,
  );

/** Finds all matches and sorts them. */
async function sortAll(db: Queryable, { rest, page }: Search, looked: Sql, most: number): Promise<FoundPage> {
  const all = sql`select r.id, r.received_at from replies r where ${looked} and ${rest(Number.POSITIVE_INFINITY)}`;
  const { total, ids } = await pageFrom(db, all, page);
  return { total: Math.min(total, most), ids };
}

async function pageFrom(db: Queryable, found: Sql, { limit, offset }: PageRequest): Promise<FoundPage> {
  const [row] = await db.query<FoundPage>(sql`
    with found as materialized (${found})
    select (select count(*)::int from found) as total,
      array(select id from found order by received_at desc, id desc limit ${limit} offset ${offset}) as ids`);
  return row ?? { total: 0, ids: [] };
}

/**
 * Returns the words of a search as tsqueries, each of which matches a prefix. PostgreSQL splits the search as it splits the replies. Throws
 * `invalid_request` without a letter or digit.
 */
export async function wordsOf(db: Queryable, q: string): Promise<string[]> {
  const rows = await db.query<{ word: string }>(sql`select unnest(tsvector_to_array(words_of(${q}))) as word`);
  if (rows.length === 0) throw invalid('q: must contain a letter or a digit');
  return rows.map(({ word }) => `'${word.replaceAll("'", "''").replaceAll('\\', '\\\\')}':*`);
}
