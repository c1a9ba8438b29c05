import { z } from 'zod';
import { MAX_ID, textInteger, untrusted } from '../../fields/fields.ts';
import { readCalendar, UNFINISHED_REASONS } from '../../sending/index.ts';
import { procedure, router } from '../trpc.ts';

const counts = {
  emails: z.number().int().meta({ example: 240 }),
  free: z.number().int().meta({ description: 'Emails that the daily limits still allow', example: 60 }),
};
const dayText = z.string().meta({ description: "In the account's time zone", example: '2026-11-30' });
const day = z.object({ day: dayText, ...counts }).meta({ id: 'CalendarDay' });
const account = z
  .object({
    account_id: z.number().int(),
    account_email: z.string().meta({ example: 'zoe@example.com' }),
    can_send: z.boolean().meta({ description: 'False: nothing is planned for it, as it may not send now', example: true }),
    ...counts,
    days: z.array(day),
  })
  .meta({ id: 'CalendarAccount' });
const cause = z.object({
  reason: z.enum(UNFINISHED_REASONS).meta({ description: 'What keeps them from ending in time' }),
  contacts: z.number().int().meta({ example: 120 }),
  accounts: z.array(z.string()).meta({ description: 'Whose daily limit it is; empty for other reasons', example: ['zoe@example.com'] }),
});
const campaign = z
  .object({
    campaign_id: z.number().int(),
    name: z.string().meta({ example: 'Spring fair' }),
    emails: z.number().int().meta({ example: 240 }),
    contacts: z.number().int().meta({ description: 'Contacts in the sequence', example: 400 }),
    unfinished: z.number().int().meta({ description: 'Those whose sequence does not end in these days', example: 120 }),
    causes: z.array(cause),
  })
  .meta({ id: 'CalendarCampaign' });
const calendar = z
  .object({
    from: dayText,
    until: dayText,
    ...counts,
    days: z.array(day),
    accounts: z.array(account),
    campaigns: z.array(campaign),
    summary: z
      .array(z.string().meta(untrusted))
      .meta({ example: ['240 emails will be sent from 2 accounts in the next 30 days, if nobody replies and nothing is changed.'] }),
  })
  .meta({ id: 'Calendar' });

/** The emails that all accounts will send. */
export const calendarRouter = router({
  read: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/calendar',
        tags: ['Campaigns'],
        summary: 'Count the emails that all accounts will send on the next days, and what does not fit',
        description:
          'Simulates the sender for all accounts and active campaigns of the workspace together, as they share limits. Assumes that ' +
          'nobody replies and nothing is changed. What the caller may not see takes its part of the limits but is not counted.',
      },
      isHeavy: true,
      errors: { 404: 'No such account or campaign' },
    })
    .input(
      z.strictObject({
        days: textInteger({ min: 1, max: 90 }, 'Number of days, with today').default(30),
        account_id: textInteger({ min: 1, max: MAX_ID }, 'Only this account').optional(),
        campaign_id: textInteger({ min: 1, max: MAX_ID }, 'Only this campaign').optional(),
      }),
    )
    .output(calendar)
    .query(({ ctx: { app, caller }, input }) => readCalendar(app, caller, input)),
});
