import { createHash } from 'node:crypto';
import type { App } from '../app.ts';
import { DAY } from '../core/clock.ts';
import { conflict, invalid, SQLSTATE, sqlState } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { type Place, SEALED } from '../secrets/sealed-columns.ts';
import type { RequestContext } from './trpc.ts';

/** A status, and the JSON text of the body unless the status is 204. */
export interface Answer {
  status: number;
  text: string;
  /** True when it is the stored answer of an earlier request with the same Idempotency-Key. */
  isReplay?: boolean;
}

/** A POST as far as it must be the same to count as a repetition. */
export interface KeyedRequest {
  key: string;
  method: string;
  path: string;
  body: unknown;
}

const KEPT_FOR = DAY;
const PATIENCE = '5s';

/** The value of an `Idempotency-Key` header. Throws `invalid_request` unless it is 1 to 255 printable ASCII characters. */
export function idempotencyKey(header: string): string {
  if (!/^[ -~]{1,255}$/.test(header)) throw invalid('Idempotency-Key: 1 to 255 printable ASCII characters');
  return header;
}

/**
 * Does the work of a keyed POST once, and answers a repetition within 24 hours with the stored status and body.
 *
 * What is guaranteed: the claim of the key, the change with its audit row, and the answer are committed by one
 * transaction. So a crash anywhere leaves either all of them, and the repetition is answered from the store, or none,
 * and the repetition does the work: never a change without its answer (which a repetition would make twice), never a
 * key that a dead process holds. A repetition that arrives meanwhile waits on the claim (the primary key) for the first
 * one's end, at most 5 seconds, then gets `conflict`. Keys belong to the API key that sent them.
 *
 * A refusal is not stored: it changed nothing, so the same request may be tried again and then do its work, as after a
 * validation error at Stripe (docs.stripe.com/api/idempotent_requests). The same key with another method, path or body
 * is a `conflict` once there is an answer.
 */
export async function answerOnce(
  context: RequestContext,
  request: KeyedRequest,
  work: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const { app } = context;
  const running = 'a request with this Idempotency-Key is still running; try again';
  return app.db
    .tx(async (tx) => {
      const stored = await claim(tx, context, request);
      if (stored !== undefined) return stored;
      const answer = await work({ ...context, app: { ...app, db: app.db.within(tx) } });
      await store(tx, context, request, answer);
      return answer;
    })
    .catch((error: unknown) => {
      throw sqlState(error) === SQLSTATE.lockNotAvailable ? conflict(running) : error;
    });
}

/** Takes the key for this request, or gives the answer that is stored under it. Index: the primary key. */
async function claim(tx: Tx, context: RequestContext, request: KeyedRequest): Promise<Answer | undefined> {
  const { app, caller } = context;
  const now = app.clock.now();
  const hash = hashOf(request);
  await tx.query(sql`select set_config('lock_timeout', ${PATIENCE}, true)`);
  const claimed = await tx.query(sql`
    insert into idempotency_keys as k (api_key_id, key, request_hash, created_at)
    values (${caller.apiKeyId}, ${request.key}, ${hash}, ${now})
    on conflict (api_key_id, key) do update
      set request_hash = excluded.request_hash, status = null, body = null, created_at = excluded.created_at
      where k.created_at <= ${expiry(now)}
    returning 1`);
  await tx.query(sql`select set_config('lock_timeout', '0', true)`);
  if (claimed.length > 0) return undefined;
  const [row] = await tx.query<{ request_hash: Buffer; status: number; body: string }>(sql`
    select request_hash, status, body from idempotency_keys where api_key_id = ${caller.apiKeyId} and key = ${request.key}`);
  if (row === undefined) throw conflict('this Idempotency-Key has just expired; try again');
  if (!row.request_hash.equals(hash)) throw conflict('this Idempotency-Key was used for another request; take a new key for each');
  return { status: row.status, text: opened(app, row.body, placeOf(context, request)), isReplay: true };
}

/** After a change of the installation's secret the answer is lost, but not that there was one. */
function opened(app: App, sealed: string, place: Place): string {
  try {
    return app.sealer.open(sealed, place);
  } catch {
    throw conflict('a request with this Idempotency-Key was carried out, but its answer can no longer be read');
  }
}

/** Sealed, because some answers hold a secret that is shown once. */
async function store(tx: Tx, context: RequestContext, request: KeyedRequest, answer: Answer): Promise<void> {
  const sealed = context.app.sealer.seal(answer.text, placeOf(context, request));
  await tx.query(sql`
    update idempotency_keys set status = ${answer.status}, body = ${JSON.stringify(sealed)}::jsonb
    where api_key_id = ${context.caller.apiKeyId} and key = ${request.key}`);
}

const hashOf = ({ method, path, body }: KeyedRequest) =>
  createHash('sha256')
    .update(JSON.stringify([method, path, body]))
    .digest();

const placeOf = ({ caller }: RequestContext, { key }: KeyedRequest) => SEALED.idempotentAnswer.place(caller.apiKeyId ?? 0, key);

const expiry = (now: Date) => new Date(now.getTime() - KEPT_FOR);

/** Forgets keys that are older than 24 hours. Returns how many. Index: idempotency_keys_age. */
export async function purgeIdempotencyKeys(app: App): Promise<number> {
  const [row] = await app.db.query<{ purged: number }>(sql`
    with purged as (delete from idempotency_keys where created_at <= ${expiry(app.clock.now())} returning 1)
    select count(*)::int as purged from purged`);
  return row?.purged ?? 0;
}
