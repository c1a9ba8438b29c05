import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { ZodError } from 'zod';
import { type Caller, type Identity, requireAdmin, requireWriter } from '../access/index.ts';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { OutreachError } from '../core/errors.ts';
import { refusalOfInput } from './input-refusal.ts';
import { checkShape } from './input-shape.ts';
import { refusalOf, trpcErrorOf } from './refusals.ts';

/** What a procedure is given beside its input. */
export interface RequestContext {
  app: App;
  identity: Identity;
  caller: Caller;
  /** Set by a procedure whose success status depends on what it found (201 or 200). */
  status?: number;
  /** What a stream needs beyond one answer; there under /trpc. */
  connection?: {
    /** Fires when the server drains. */
    readonly closing: AbortSignal;
    /** Asks anew who the key speaks for. Throws `unauthorized` once it is revoked or its owner disabled. */
    readonly identify: () => Promise<Identity>;
  };
}

type OpenApi = NonNullable<OpenApiMeta['openapi']>;

/** What a procedure says of itself; the REST shell, the document and the access check all read it. */
export interface Meta extends Record<string, unknown> {
  openapi?: OpenApi;
  /** `read` (default): every role. `write`: not `view_only`. `admin`: admins only. */
  access?: 'read' | 'write' | 'admin';
  /** The status of success; 200 when left out. */
  status?: 200 | 201 | 204;
  /** A second status of success, for a procedure that answers otherwise when what it makes was there already. */
  otherStatus?: 200;
  /** Refusals that neither access, path nor method imply, in words for the document. */
  refusals?: { readonly 404?: string; readonly 409?: string };
  /** Names in the body that are the resource's own read-only fields: ignored, so that what GET gave can be sent back. */
  readOnly?: readonly string[];
  /**
   * Throws `not_found` unless the things named in the path exist for the caller. Asked only when the input is
   * malformed, because 404 comes before 400.
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
      const refusal = refusalOf(error);
      return { ...shape, message: refusal.message, data: { ...shape.data, error: refusal.code, stack: undefined } };
    },
  });

/** Throws `forbidden` when the caller's role does not reach the procedure. */
export function checkAccess(meta: Meta | undefined, caller: Caller): void {
  if (meta?.access === 'write') requireWriter(caller);
  if (meta?.access === 'admin') requireAdmin(caller);
}

/** The integers among path parameters. */
export function idsOf(input: unknown): Record<string, number> {
  const ids: Record<string, number> = {};
  for (const [name, value] of Object.entries((input ?? {}) as Record<string, unknown>)) {
    if ((name === 'id' || name.endsWith('_id')) && Number.isInteger(Number(value))) ids[name] = Number(value);
  }
  return ids;
}

/** The input of a native call, which nobody has looked at yet; under /api/v1 the shell has. */
async function checkNativeInput(getRawInput: () => Promise<unknown>): Promise<void> {
  const input = await getRawInput();
  if (typeof input === 'object' && input !== null) checkShape(input);
}

const guarded = t.middleware(async ({ ctx, meta, next, getRawInput }) => {
  try {
    checkAccess(meta, ctx.caller);
    if (ctx.connection !== undefined) await checkNativeInput(getRawInput);
  } catch (error) {
    // tRPC would make a fault of the server out of what is none of its own errors.
    throw trpcErrorOf(error);
  }
  const result = await next();
  if (result.ok) return result;
  let refusal = refusalOf(result.error);
  if (result.error.cause instanceof ZodError && result.error.code === 'BAD_REQUEST') {
    const input = await getRawInput();
    refusal = refusalOfInput(result.error.cause, input);
    // 404 comes before 400.
    await meta?.target?.(ctx, idsOf(input)).catch((error: unknown) => {
      if (error instanceof OutreachError) refusal = error;
    });
  }
  if (refusal.code === 'internal_error') ctx.app.log.error({ err: refusal.cause }, 'request failed');
  throw trpcErrorOf(refusal);
});

export const router = t.router;

/** The one base of every procedure: access check first, then the input, then the work. */
export const procedure = t.procedure.use(guarded);
