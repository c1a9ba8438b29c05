import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { HEALTH_WORDS } from '../../accounts/index.ts';
import { pathId, timestampText, untrusted } from '../../fields/fields.ts';
import { type AccountHealth, getHealth } from '../../health/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const check = z.object({
  check: z.string().meta({ example: 'spf' }),
  state: z.enum([...HEALTH_WORDS, 'unknown']).meta({ example: 'good' }),
  since: timestampText,
  detail: z.string().meta({ ...untrusted, description: 'What was found', example: 'v=spf1 include:_spf.google.com ~all' }),
  why: z.string().meta({ description: 'Why it matters', example: 'It names the servers that may send for the domain.' }),
  remedy: z.string().nullable().meta({ description: 'What to do; null if nothing is wrong', example: null }),
});

const health = z
  .object({
    account_id: z.number().int(),
    email: z.string().meta({ example: 'zoe@example.com' }),
    health: z.enum(HEALTH_WORDS).nullable().meta({ description: 'In one word; null before the first check', example: 'good' }),
    since: timestampText.nullable().meta({ example: '2026-01-30 09:15:00' }),
    checked_at: timestampText.nullable(),
    checks: z.array(check).meta({ description: 'Problems first' }),
  })
  .meta({ id: 'AccountHealth' }) satisfies z.ZodType<AccountHealth>;

const tags = ['Sending accounts'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'accounts', ids.id ?? 0);
const byId = z.strictObject({ id: pathId });

/** The health of accounts: their ability to deliver. */
export const accountHealthRouter = router({
  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/accounts/{id}/health',
        tags,
        summary: 'Read how well an account can deliver',
        description:
          'DNS records, relay, tracking host, block lists, bounces, complaints and limits, as they were checked within the last day.',
      },
      target,
    })
    .input(byId)
    .output(health)
    .query(({ ctx: { app, caller }, input }) => getHealth(app, caller, input.id)),

  check: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/accounts/{id}/health',
        tags,
        summary: 'Check how well an account can deliver',
        description: 'Queries DNS and the servers now, and keeps the result. Block lists are still queried only once a day.',
      },
      access: 'write',
      callsOut: true,
      target,
    })
    .input(byId)
    .output(health)
    .mutation(async ({ ctx: { app, caller }, input }) => (await import('./check-health.ts')).checkNow(app, caller, input.id)),
});
