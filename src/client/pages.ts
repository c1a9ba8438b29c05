/** A page of a list; one that the API does not paginate has no `pagination` and is complete. */
export interface Page<Row> {
  data: Row[];
  /** `total` is null for a list whose length is not counted. */
  pagination?: { total: number | null };
}

/** Reads a page. */
export type ReadPage<Row> = (page: { limit: number; offset: number }) => Promise<Page<Row>>;

/** Up to this number the total of a search of replies is exact. Beyond it, the total only exceeds the end of the page while more rows follow. */
export const COUNTED_REPLIES = 1_000;

/** The largest page that the API serves. */
export const MAX_PAGE_SIZE = 200;

/**
 * Yields the records of a list in its order, page by page. A record that is created or deleted meanwhile may shift others across a page
 * boundary; the feed of events, which `eachEvent` follows, has no such boundaries.
 */
export async function* eachRecord<Row>(read: ReadPage<Row>): AsyncGenerator<Row, void> {
  for (let seen = 0; ; ) {
    const { data, pagination } = await read({ limit: MAX_PAGE_SIZE, offset: seen });
    yield* data;
    seen += data.length;
    if (data.length === 0 || pagination === undefined) return;
    if (pagination.total !== null && seen >= pagination.total) return;
  }
}
