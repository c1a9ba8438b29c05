import { z } from 'zod';
import { HEALTH_WORDS } from '../../accounts/index.ts';
import { pageOf, pageQuery, timestampText, untrusted } from '../../fields/fields.ts';
import { listAccountOverviews } from '../../live/index.ts';
import { procedure, router } from '../trpc.ts';
import { accountSchema } from './account-schema.ts';

const overviewSchema = accountSchema
  .extend({
    sent_today: z.number().int().meta({ description: "Emails accepted on the account's local day", example: 12 }),
    limit_today: z.number().int().meta({ description: 'Its limit for that day, which a ramp-up lowers', example: 50 }),
    last_polled_at: timestampText.nullable(),
    poll_error: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: 'Why its mailbox could not be polled', example: null }),
    bounce_rate: z
      .number()
      .nullable()
      .meta({ description: 'Share of the emails of the last seven days that bounced, from 0 to 1', example: 0.012 }),
    health: z.enum(HEALTH_WORDS).nullable().meta({ description: 'How well it can deliver; null before the first check', example: 'good' }),
    tags: z.array(z.string()).meta({ example: ['us'] }),
  })
  .meta({ id: 'AccountOverview' });

/** Accounts with the emails of the day. Kept apart from the account record, which the specification fixes. */
export const accountOverviewRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/accounts/overview',
        tags: ['Sending accounts'],
        summary: "List sending accounts with today's emails, bounce rate and tags",
      },
    })
    .input(
      z.strictObject({
        tag: z.string().max(50, 'at most 50 characters').meta({ description: 'Only accounts with this tag', example: 'us' }).optional(),
        ...pageQuery,
      }),
    )
    .output(pageOf(overviewSchema))
    .query(({ ctx: { app, caller }, input: { tag, ...page } }) => listAccountOverviews(app.db, caller, app.clock.now(), tag, page)),
});
