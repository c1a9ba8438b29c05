import { createHash } from 'node:crypto';
import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { DAY, MINUTE } from '../core/clock.ts';
import { conflict, invalid, SQLSTATE, sqlState } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { type Place, SEALED } from '../secrets/sealed-columns.ts';
import type { Download } from './download.ts';

/** The part of a call's context that is needed here. */
interface KeyedContext {
  app: App;
  caller: Caller;
}

/** The response to a REST request. */
export interface ApiResponse {
  status: number;
  /** JSON; empty with status 204 and with a download. */
  body: string;
  /** The content of a GET that streams text; it is sent instead of a body. */
  download?: Download;
  headers?: Record<string, string>;
  /** True for the stored response of an earlier request with the same Idempotency-Key. */
  isReplay?: boolean;
}

/** The parts of a POST that must be equal in a retry. */
export interface KeyedRequest {
  key: string;
  method: string;
  path: string;
  body: unknown;
}

const RETENTION = DAY;
/** Longer than any request that calls out takes. After this time a key held by a dead process is free again. */
const REQUEST_LEASE = 2 * MINUTE;
const STILL_RUNNING = 'a request with this Idempotency-Key is still running; try again';

/** Reads the value of an `Idempotency-Key` header. Throws `invalid_request` unless it is 1 to 255 printable ASCII characters. */
export function idempotencyKey(header: string): string {
  if (!/^[ -~]{1,255}$/.test(header)) throw invalid('Idempotency-Key: 1 to 255 printable ASCII characters');
  return header;
}

/**
 * Handles a keyed POST once. Retries within 24 hours get the stored status and body. A key belongs to the API key that
 * sent it.
 *
 * The key, the change with its audit entry, and the response are committed in one transaction. After a crash either all
 * of them exist and a retry gets the stored response, or none of them does and the retry is handled. A change never exists
 * without its response, so a retry can't repeat it, and a dead process never holds a key. A retry that arrives while the
 * first request runs waits for its transaction, at most 5 seconds, and then fails with `conflict`.
 *
 * Errors are not stored. They changed nothing, so the same request may be sent again, as after a validation error at
 * Stripe (docs.stripe.com/api/idempotent_requests). The same key with another method, path or body is a `conflict` once
 * a response is stored.
 */
export async function handleOnce<Context extends KeyedContext>(
  context: Context,
  request: KeyedRequest,
  handle: (context: Context) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { app } = context;
  return app.db.tx(async (tx) => {
    const stored = await claimKey(tx, context, request);
    if (stored !== undefined) return stored;
    const response = await handle({ ...context, app: { ...app, db: app.db.within(tx) } });
    await storeResponse(tx, context, request, response);
    return response;
  });
}

/**
 * Handles a keyed POST that waits for something outside the database, which no transaction may do. Claims the key first, in a transaction
 * of its own, and stores the response at the end. A retry in between fails with `conflict`. If the process dies in between, the key is free
 * again after two minutes and a retry calls out again, so use this only for calls that are safe to repeat.
 */
export async function handleOnceCallingOut<Context extends KeyedContext>(
  context: Context,
  request: KeyedRequest,
  handle: (context: Context) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { db } = context.app;
  const stored = await db.tx((tx) => claimKey(tx, context, request));
  if (stored !== undefined) return stored;
  try {
    const response = await handle(context);
    await storeResponse(db, context, request, response);
    return response;
  } catch (error) {
    await releaseKey(context, request);
    throw error;
  }
}

/** Claims the key for this request, or returns the response stored under it. Index: the primary key. */
async function claimKey(tx: Tx, context: KeyedContext, request: KeyedRequest): Promise<ApiResponse | undefined> {
  const { app, caller } = context;
  const now = app.clock.now();
  const hash = hashOf(request);
  const insert = sql`
    insert into idempotency_keys as k (api_key_id, key, request_hash, created_at)
    values (${caller.apiKeyId}, ${request.key}, ${hash}, ${now})
    on conflict (api_key_id, key) do update
      set request_hash = excluded.request_hash, status = null, body = null, created_at = excluded.created_at
      where k.created_at <= ${expiry(now)} or k.status is null and k.created_at <= ${new Date(now.getTime() - REQUEST_LEASE)}
    returning 1`;
  const claimed = await tx.query(insert).catch((error: unknown) => {
    throw sqlState(error) === SQLSTATE.lockNotAvailable ? conflict(STILL_RUNNING) : error;
  });
  if (claimed.length > 0) return undefined;
  const [row] = await tx.query<{ request_hash: Buffer; status: number | null; body: string }>(sql`
    select request_hash, status, body from idempotency_keys where api_key_id = ${caller.apiKeyId} and key = ${request.key}`);
  if (row === undefined) throw conflict('this Idempotency-Key has just expired; try again');
  if (!row.request_hash.equals(hash)) throw conflict('this Idempotency-Key was used for another request; take a new key for each');
  if (row.status === null) throw conflict(STILL_RUNNING);
  return { status: row.status, body: openedBody(app, row.body, placeOf(context, request)), isReplay: true };
}

/** Unseals a stored response. After the secret was replaced it can't be read, but the request must still not run again. */
function openedBody(app: App, sealed: string, place: Place): string {
  try {
    return app.sealer.open(sealed, place);
  } catch {
    throw conflict('a request with this Idempotency-Key was carried out, but its response can no longer be read');
  }
}

/** Stores a response, sealed, because some hold a secret that is shown once. */
async function storeResponse(db: Queryable, context: KeyedContext, request: KeyedRequest, response: ApiResponse): Promise<void> {
  const sealed = context.app.sealer.seal(response.body, placeOf(context, request));
  await db.query(sql`
    update idempotency_keys set status = ${response.status}, body = ${JSON.stringify(sealed)}::jsonb
    where api_key_id = ${context.caller.apiKeyId} and key = ${request.key}`);
}

/** Frees the key of a request that failed. A failure to free it is only logged, because the client has to learn why its request failed. */
async function releaseKey({ app, caller }: KeyedContext, { key }: KeyedRequest): Promise<void> {
  const release = sql`delete from idempotency_keys where api_key_id = ${caller.apiKeyId} and key = ${key} and status is null`;
  await app.db.query(release).catch((err: unknown) => {
    app.log.error({ api_key_id: caller.apiKeyId, err }, 'the Idempotency-Key of a failed request is taken for two more minutes');
  });
}

/** A replacer for JSON.stringify that sorts the fields of objects, because their order has no meaning (RFC 8259 §4). */
const sortFields = (_field: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const hashOf = ({ method, path, body }: KeyedRequest) =>
  createHash('sha256')
    .update(JSON.stringify([method, path, body], sortFields))
    .digest();

const placeOf = ({ caller }: KeyedContext, { key }: KeyedRequest) => SEALED.idempotentAnswer.place(caller.apiKeyId ?? 0, key);

const expiry = (now: Date) => new Date(now.getTime() - RETENTION);

/** Deletes keys older than 24 hours and returns their number. Index: idempotency_keys_age. */
export async function purgeIdempotencyKeys(app: App): Promise<number> {
  const [row] = await app.db.query<{ purged: number }>(sql`
    with purged as (delete from idempotency_keys where created_at <= ${expiry(app.clock.now())} returning 1)
    select count(*)::int as purged from purged`);
  return row?.purged ?? 0;
}
