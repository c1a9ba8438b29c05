import { z } from 'zod';
import { DAY } from '../../core/clock.ts';
import { dataOf, instantText, textInteger, timestampText, untrusted } from '../../fields/fields.ts';
import { ACTIVITIES, readActivity } from '../../live/index.ts';
import { procedure, router } from '../trpc.ts';

const line = z
  .object({
    id: z.string().meta({ description: 'Identifies the line', example: 'event-991' }),
    at: timestampText,
    what: z.enum(ACTIVITIES),
    email_id: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The email in the outbox; null for a change of an account or a campaign', example: 318 }),
    account_id: z.number().int().nullable(),
    account: z.string().nullable().meta({ example: 'zoe@example.com' }),
    domain: z.string().nullable().meta({ description: 'Domain of the recipient', example: 'example.org' }),
    code: z.string().nullable().meta({ description: "The server's reply code", example: '250' }),
    reason: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: 'Why an account was paused, its daily limit, or its health', example: null }),
    campaign_id: z.number().int().nullable().meta({ description: 'The campaign that was completed; null on other lines', example: null }),
    campaign: z.string().nullable().meta({ example: null }),
  })
  .meta({ id: 'ActivityLine' });

/** The log of emails, accounts and campaigns. Its lines name no recipients. */
export const activityRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/activity',
        tags: ['Event feed'],
        summary: 'List emails sent, bounced and answered, and what happened to accounts and campaigns, oldest first',
        description:
          'Accounts that were paused or disconnected, that reached their daily limit while emails waited, or whose health changed; campaigns that ' +
          'were completed. Lines name the domain of a recipient, not the address. Of more than `limit` lines, the latest are listed.',
      },
      errors: { 404: 'No such account' },
    })
    .input(
      z.strictObject({
        account: z
          .string('must be a string')
          .max(320, 'at most 320 characters')
          .meta({ description: 'Only this account, by id or address', example: 'zoe@example.com' })
          .optional(),
        since: instantText.describe('Only at or after this time (default: 24 hours ago)').optional(),
        limit: textInteger({ min: 1, max: 10_000 }, 'Maximum number of lines').default(100),
      }),
    )
    .output(dataOf(line))
    .query(async ({ ctx: { app, caller }, input: { since, ...filter } }) => ({
      data: await readActivity(app.db, caller, { since: since ?? new Date(app.clock.now().getTime() - DAY), ...filter }),
    })),
});
