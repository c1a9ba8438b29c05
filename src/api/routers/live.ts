import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { closeCall } from '../../campaigns/index.ts';
import { forbidden } from '../../core/errors.ts';
import { bodyId, pathId } from '../../fields/fields.ts';
import { campaignProgress, watch } from '../../live/index.ts';
import { procedure, router } from '../trpc.ts';

/** Procedures for the dashboard, served under /trpc only: a stream is not a REST resource. */
export const liveRouter = router({
  /** Streams what the key may see as server-sent events: first everything, then the changes. */
  watch: procedure.input(z.strictObject({})).subscription(async function* ({ ctx, signal }) {
    const { connection } = ctx;
    if (connection === undefined) throw forbidden('a stream is served under /trpc only');
    const ended = AbortSignal.any([connection.closing, ...(signal === undefined ? [] : [signal])]);
    yield* watch(ctx.app, async () => (await connection.identify()).caller, ended);
  }),

  /** Counts the contacts of a campaign by step and A/B variant. */
  progress: procedure
    .meta({ target: (ctx, ids) => requireVisible(ctx.app.db, ctx.caller, 'campaigns', ids.id ?? 0) })
    .input(z.strictObject({ id: pathId }))
    .query(({ ctx, input }) => campaignProgress(ctx.app.db, ctx.caller, input.id)),

  /** Records that a call was made or skipped. */
  closeCall: procedure
    .meta({ access: 'write' })
    .input(z.strictObject({ id: bodyId, outcome: z.enum(['done', 'skipped']), note: z.string().nullable() }))
    .mutation(({ ctx, input: { id, ...input } }) => closeCall(ctx.app, ctx.caller, id, input)),
});
