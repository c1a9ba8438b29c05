import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { ZodError } from 'zod';
import { type Caller, type Identity, requireAdmin, requireScope, requireWriter } from '../access/index.ts';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { OutreachError } from '../core/errors.ts';
import { toOutreachError, toTrpcError } from './error-mapping.ts';
import { handleOnce, handleOnceCallingOut } from './idempotency.ts';
import { inputError } from './input-error.ts';
import { checkShape } from './input-shape.ts';
import { isFarPage, type KeyLimits } from './key-limits.ts';

/** The context of a procedure call. */
export interface RequestContext {
  app: App;
  identity: Identity;
  caller: Caller;
  limits: KeyLimits;
  /** Set by a procedure whose success status depends on the outcome (201 or 200). */
  status?: number;
  /** Headers of the response under /api/v1, set by a procedure that reports more than fits its body. */
  headers?: Record<string, string>;
  /** Undefined under /api/v1. */
  connection?: {
    /** Aborted when the server shuts down. */
    readonly closing: AbortSignal;
    /** The Idempotency-Key of a mutation. */
    readonly idempotencyKey?: string | undefined;
    /** Runs a call and counts it as work of the request. Throws if the client has gone. Undefined on the command line. */
    readonly run?: <Result>(call: () => Promise<Result>) => Promise<Result>;
    /** Looks the key up again. Throws `unauthorized` once it is revoked or its owner is disabled. */
    readonly identify: () => Promise<Identity>;
  };
}

/** A file that an operation takes in a form, besides its other fields. */
export interface UploadMeta {
  field: string;
  maxBytes: number;
  /** Stores the file before the procedure is called; the result becomes the field of the input. */
  store(context: RequestContext, fileName: string, content: AsyncIterable<Buffer>): Promise<{ id: number }>;
  /** Deletes the file, unless the procedure has kept it. */
  discard(context: RequestContext, file: { id: number }): Promise<void>;
}

type OpenApi = NonNullable<OpenApiMeta['openapi']>;

/** The metadata of a procedure, for the REST routes, the OpenAPI document and the access check. */
export interface Meta extends Record<string, unknown> {
  openapi?: OpenApi;
  /**
   * `read` (default): every role. `write`, `connect`, `drafts`: admins and managers. `admin`: admins. A key needs the scope of that name;
   * for `drafts`, `write` does too.
   */
  access?: 'read' | 'write' | 'connect' | 'drafts' | 'admin';
  /** The success status; 200 by default. */
  status?: 200 | 201 | 204;
  /** A second success status, for a procedure that creates something unless it exists. */
  otherStatus?: 200;
  /**
   * True for a POST that waits for something outside the database, such as a server. With an Idempotency-Key it is not one
   * transaction, see `handleOnceCallingOut`.
   */
  callsOut?: boolean;
  /** Descriptions of errors that neither access, path nor method imply, for the OpenAPI document. */
  errors?: { readonly 404?: string; readonly 409?: string };
  /** The file of a POST that takes a form, of multipart/form-data, and not JSON. */
  upload?: UploadMeta;
  /** True for a read that may take PostgreSQL long. Only a few of each key run at the same time. A page far down a list counts as heavy anyway. */
  isHeavy?: boolean;
  /** For a read that returns text, not JSON, as an AsyncIterable: the media type for each value of its `format`. */
  download?: Readonly<Record<string, string>>;
  /** Descriptions of the headers that the procedure may set, for the OpenAPI document. */
  headers?: Readonly<Record<string, string>>;
  /** Fields that a write takes as query parameters under /api/v1, not in its body. */
  query?: readonly string[];
  /** Read-only fields of the resource. They are ignored in a body, so that a client can send back what GET returned. */
  readOnly?: readonly string[];
  /** The field of a body whose rows are the resource, for a batch: read-only fields are ignored in each row. */
  rows?: string;
  /**
   * Throws `not_found` unless the caller can see the resources named in the path. Called only when the input is invalid,
   * because 404 comes before 400.
   */
  target?: (context: RequestContext, ids: Record<string, number>) => Promise<unknown>;
}

const t = initTRPC
  .context<RequestContext>()
  .meta<Meta>()
  .create({
    isDev: false,
    sse: { ping: { enabled: true, intervalMs: 5 * SECOND }, client: { reconnectAfterInactivityMs: 15 * SECOND } },
    errorFormatter({ shape, error }) {
      const { code, message } = toOutreachError(error);
      return { ...shape, message, data: { ...shape.data, error: code, stack: undefined } };
    },
  });

/** Throws `forbidden` unless the caller's role and key may call the procedure. */
export function checkAccess(meta: Meta | undefined, caller: Caller): void {
  const { access = 'read' } = meta ?? {};
  if (access === 'write' || access === 'connect' || access === 'drafts') requireWriter(caller);
  if (access === 'admin') requireAdmin(caller);
  else if (access === 'drafts') requireScope(caller, 'drafts', 'write');
  else requireScope(caller, access);
}

/** Picks the ids out of path parameters or input: integers, or text of one, named `id` or `…_id`. */
export function idsOf(input: unknown): Record<string, number> {
  const ids: Record<string, number> = {};
  for (const [name, value] of Object.entries((input ?? {}) as Record<string, unknown>)) {
    if ((name === 'id' || name.endsWith('_id')) && Number.isInteger(Number(value))) ids[name] = Number(value);
  }
  return ids;
}

/** Checks access, and the input of a call under /trpc: under /api/v1 it was checked when it was read. Makes a heavy call wait for its turn. */
async function admit(ctx: RequestContext, meta: Meta | undefined, getRawInput: () => Promise<unknown>, over: Promise<void>): Promise<void> {
  checkAccess(meta, ctx.caller);
  const raw = await getRawInput();
  const input = typeof raw === 'object' && raw !== null ? raw : {};
  if (ctx.connection !== undefined) checkShape(input);
  if (meta?.isHeavy || isFarPage(input)) await ctx.limits.heavy(ctx.caller, over);
}

type Call = Parameters<Parameters<typeof t.middleware>[0]>[0];

/** Admits a call and runs its resolver. Converts errors to those of the API. */
async function guarded({ ctx, meta, type, path, next, getRawInput }: Call) {
  const isNative = ctx.connection !== undefined;
  const over = Promise.withResolvers<void>();
  // tRPC converts every error but its own to INTERNAL_SERVER_ERROR.
  await admit(ctx, meta, getRawInput, over.promise).catch((error: unknown) => {
    throw toTrpcError(error);
  });
  const result = await next().finally(over.resolve);
  if (result.ok) return result;
  let error = toOutreachError(result.error);
  if (result.error.cause instanceof ZodError && result.error.code === 'BAD_REQUEST') {
    const input = await getRawInput();
    error = inputError(result.error.cause, input, type === 'query' && !isNative ? 'query parameter' : 'field');
    // 404 comes before 400.
    await meta?.target?.(ctx, idsOf(input)).catch((missing: unknown) => {
      if (missing instanceof OutreachError) error = missing;
    });
  }
  // Under /api/v1 the error handler logs it, and a command prints it.
  if (isNative && ctx.caller.actor !== 'cli' && error.code === 'internal_error')
    ctx.app.log.error({ route: `/trpc/${path}`, err: error.cause }, 'request failed');
  throw toTrpcError(error);
}

/** Handles a mutation with an Idempotency-Key once under /trpc, like a POST under /api/v1. */
async function once(call: Call): ReturnType<typeof guarded> {
  const { ctx, meta, path, type, getRawInput } = call;
  const key = ctx.connection?.idempotencyKey;
  if (key === undefined || type !== 'mutation') return guarded(call);
  let fresh: Awaited<ReturnType<typeof guarded>> | undefined;
  const run = async (context: RequestContext) => {
    const within = { ...call, ctx: context as Call['ctx'], next: () => call.next({ ctx: context }) };
    fresh = await guarded(within as Call);
    return { status: 200, body: JSON.stringify(fresh.data) ?? '' };
  };
  const handleKeyed = meta?.callsOut ? handleOnceCallingOut : handleOnce;
  const request = { key, method: type, path, body: await getRawInput() };
  const { body } = await handleKeyed(ctx, request, run).catch((error: unknown) => {
    throw toTrpcError(error);
  });
  // The stored result has already passed the procedure's output schema.
  return fresh ?? ({ ok: true, data: body === '' ? undefined : JSON.parse(body) } as Awaited<ReturnType<typeof guarded>>);
}

export const router = t.router;

/** The base of every procedure: checks access, then the input, then runs the resolver; with an Idempotency-Key only once. */
export const procedure = t.procedure.use((call) => (call.ctx.connection?.run ? call.ctx.connection.run(() => once(call)) : once(call)));
