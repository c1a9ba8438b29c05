import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import {
  CAUSES,
  changeCampaign,
  DIFFERENT_HOURS,
  getCampaignOptions,
  HOURS_PATTERN,
  IN_CAMPAIGN,
  MAX_COPIES,
  MAX_SUBSEQUENCES,
  PROVIDER_MATCHES,
} from '../../campaigns/index.ts';
import { bodyId, emailText, filledLine, holidayRegion, pathId, trueOrFalse } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const atLeastOne = (most: number) =>
  z.number('must be an integer').int('must be an integer').min(1, 'must be 1 or more').max(most, `must be at most ${most}`);
const hours = z
  .string('must be hours such as 14-17')
  .regex(HOURS_PATTERN, 'must be hours such as 14-17, from 0-24')
  .meta({ pattern: DIFFERENT_HOURS });

const copies = (description: string, example: string) =>
  z
    .array(emailText, 'must be a list of addresses')
    .max(MAX_COPIES, `at most ${MAX_COPIES} addresses`)
    .meta({ description, example: [example] });

const CAUSE_TEXT = 'must be label, replied, opened, clicked or finished';
const subsequence = z
  .strictObject({
    on: z.enum(CAUSES, CAUSE_TEXT).meta({
      description:
        'A reply of the contact gets a label, they reply, open or click, or finish the campaign; whoever replied is not enrolled by the last three',
    }),
    label: filledLine(50, 'must not be empty')
      .nullable()
      .optional()
      .meta({ description: 'For `label`, ignoring case', example: 'interested' }),
    wait_days: z
      .number('must be an integer')
      .int('must be an integer')
      .min(0, 'must be 0 or more')
      .max(365, 'must be at most 365')
      .optional()
      .meta({ description: 'Days from the cause to the enrolment; 0 by default', example: 3 }),
    campaign_id: bodyId.meta({ description: 'Campaign that the contact is enrolled in', example: 9 }),
  })
  .meta({ id: 'Subsequence' });

const options = {
  use_contact_timezone: trueOrFalse.meta({
    description: "Apply the sending hours in each contact's own time zone, if the custom field `timezone` has one",
  }),
  auto_reopen: trueOrFalse.meta({ description: 'Reopen the campaign after it has completed, when a contact is enrolled', example: true }),
  track_opens: trueOrFalse.meta({ description: 'Add an image to track opens', example: true }),
  track_clicks: trueOrFalse.meta({ description: 'Rewrite links to track clicks', example: true }),
  stop_company: trueOrFalse.meta({ description: 'Stop contacts with the same email domain when one of them replies' }),
  footer: trueOrFalse.meta({ description: 'Add the footer of the workspace to emails without an unsubscribe link', example: true }),
  spintax: trueOrFalse.meta({
    description: 'Take one text of each choice {a|b} in subjects and bodies; otherwise it is sent as it stands',
  }),
  when_unknown: z
    .enum(['wait', 'continue'], 'must be wait or continue')
    .meta({ description: 'After an email whose delivery is unknown: wait for a proof or a person, or continue the sequence' }),
  more_hours: z
    .array(hours, 'must be a list of hours')
    .max(5, 'at most 5')
    .meta({
      description: 'Sending hours beside those of the campaign, on the same days',
      example: ['14-17'],
    }),
  holidays: holidayRegion.nullable().meta({
    description: 'Country (ISO 3166-1) or part of it on whose public holidays nothing is sent',
    example: 'DE-BY',
  }),
  cc: copies('Addresses that get a copy of each email, for everybody to see', 'boss@example.com'),
  bcc: copies('Addresses that get a copy of each email in secret', 'crm@example.com'),
  new_contacts_per_day: atLeastOne(10_000).nullable().meta({
    description: 'Most first emails on a day of its time zone, in all campaigns of its rotation group together',
    example: 40,
  }),
  max_per_company_per_day: atLeastOne(1_000).nullable().meta({
    description: 'Most emails on a day to addresses with the same domain, except those of mailbox providers such as gmail.com',
    example: 2,
  }),
  skip_if_in_campaign: z
    .enum(IN_CAMPAIGN, 'must be none, active or any')
    .meta({ description: 'Do not enrol contacts who are active in another campaign, or were in any' }),
  provider_match: z.enum(PROVIDER_MATCHES, 'must be off, prefer or require').meta({
    description:
      'Email contacts at Google or Microsoft from accounts of the rotation group there, if one can send (prefer) or only so (require)',
  }),
  subsequences: z
    .array(subsequence, 'must be a list of subsequences')
    .max(MAX_SUBSEQUENCES, `at most ${MAX_SUBSEQUENCES}`)
    .meta({ description: 'Enrol contacts into other campaigns, which ends their enrolment in this one' }),
  list_id: bodyId.nullable().meta({ description: 'List whose new members are enrolled as they join it', example: 6 }),
};

const optionsSchema = z.object({ campaign_id: z.number().int(), ...options }).meta({ id: 'CampaignOptions' });

const tags = ['Campaigns'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'campaigns', ids.id ?? 0);

/** Settings of a campaign beside its record. */
export const campaignOptionsRouter = router({
  get: procedure
    .meta({ openapi: { method: 'GET', path: '/campaigns/{id}/options', tags, summary: 'Read the options of a campaign' }, target })
    .input(z.strictObject({ id: pathId }))
    .output(optionsSchema)
    .query(async ({ ctx: { app, caller }, input: { id } }) => ({ campaign_id: id, ...(await getCampaignOptions(app.db, caller, id)) })),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/campaigns/{id}/options',
        tags,
        summary: 'Change options of a campaign',
        description: 'Changes apply at once, in a rotation group to all campaigns.',
      },
      access: 'write',
      readOnly: ['campaign_id'],
      target,
    })
    .input(z.strictObject({ id: pathId, ...z.object(options).partial().shape }))
    .output(optionsSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...patch } }) => {
      await changeCampaign(app, caller, id, patch);
      return { campaign_id: id, ...(await getCampaignOptions(app.db, caller, id)) };
    }),
});
