import { z } from 'zod';
import { DAY_TEXT, INSTANT } from '../../fields/exact-text.ts';
import { dayText, instantText, textInteger } from '../../fields/fields.ts';
import { CAMPAIGN_REPORTS, WORKSPACE_REPORTS } from '../../reports/index.ts';

const error =
  'must be a day such as 2026-01-31, or an RFC 3339 timestamp with a zone, for example 2026-01-31T09:00:00Z, in the years 1900 to 2999';
const dayOrInstant = z.union([dayText(error), instantText], { error }).meta({
  id: 'DayOrInstant',
  description: 'A day, YYYY-MM-DD, or a timestamp: RFC 3339 with a zone, or the format of responses',
  override: { type: 'string', pattern: `${DAY_TEXT}|${INSTANT}` },
});

/** The days of a report, in a query. */
export const reportDays = {
  since: dayOrInstant.meta({ description: 'Only emails sent on this day or later; a timestamp stands for its day' }).optional(),
  until: dayOrInstant
    .meta({ description: 'Only emails sent up to this day, included; of a timestamp, the day of the moment before it' })
    .optional(),
};

export const domainLimit = textInteger(
  { min: 1, max: 1_000 },
  'By domain: number of domains with a row of their own, those with the most emails',
).default(50);

const count = z.number().int();
const share = z.number();

const proportion = z
  .object({
    count: count.meta({ example: 96 }),
    of: count.meta({ example: 228 }),
    rate: share.meta({ example: 0.421053 }),
    low: share.meta({ example: 0.358787 }),
    high: share.meta({ example: 0.485969 }),
  })
  .meta({ id: 'Rate', description: 'Null where there is nothing to take a share of' })
  .nullable();

const RATES = {
  opened: { count: 96, of: 115, rate: 0.834783, low: 0.75632, high: 0.891602 },
  clicked: { count: 31, of: 115, rate: 0.269565, low: 0.196888, high: 0.357139 },
  replied: { count: 14, of: 115, rate: 0.121739, low: 0.07392, high: 0.194012 },
  bounced: { count: 2, of: 230, rate: 0.008696, low: 0.002388, high: 0.031145 },
  unsubscribed: { count: 1, of: 115, rate: 0.008696, low: 0.001537, high: 0.047617 },
};

const counts = {
  contacts: count.meta({ description: 'Contacts, by their first email', example: 117 }),
  sent: count,
  delivered: count.meta({ description: 'Accepted, and not returned since', example: 228 }),
  opened: count,
  clicked: count,
  replied: count,
  auto_replied: count.meta({ description: 'Answered by a program', example: 3 }),
  bounced: count,
  failed: count,
  unsubscribed: count.meta({ example: 1 }),
  machine_opened: count.meta({ description: 'Emails whose image a machine fetched; not in `opened`', example: 40 }),
  machine_clicked: count.meta({ description: 'Emails with a link that a machine fetched; not in `clicked`', example: 4 }),
  tracked: z.object({ opened: z.boolean(), clicked: z.boolean() }).meta({
    id: 'Tracked',
    example: { opened: true, clicked: true },
    description: 'Whether opens and clicks were tracked; if not, a count of 0 says nothing',
  }),
  rates_of: z.enum(['persons', 'emails']).meta({
    description: 'persons: contacts with an email delivered. emails: delivered ones, in a row without all emails of its contacts',
    example: 'persons',
  }),
  rates: z
    .object({ opened: proportion, clicked: proportion, replied: proportion, bounced: proportion, unsubscribed: proportion })
    .meta({ id: 'Rates', description: '`bounced` is always of the emails that a server was to take', example: RATES }),
};

const total = z.object(counts).meta({ id: 'ReportTotal' });
const day = z.string().optional().meta({ description: 'By day', example: '2026-01-31' });
const week = z.string().optional().meta({ description: 'By week: its Monday', example: '2026-01-26' });
const accountId = count.optional().meta({ description: 'By account' });
const accountEmail = z.string().optional();

const campaignRow = z
  .object({
    step_order: count.optional().meta({ description: 'By step: its position; of a deleted step the one that it had', example: 1 }),
    is_deleted: z.boolean().optional().meta({ description: 'By step: it was deleted', example: false }),
    variant: z
      .enum(['A', 'B'])
      .nullable()
      .optional()
      .meta({ description: 'By variant; null for contacts outside of the test', example: 'A' }),
    day,
    week,
    account_id: accountId,
    account_email: accountEmail,
    provider: z
      .enum(['google', 'microsoft', 'other', 'unknown'])
      .optional()
      .meta({ description: 'By provider that receives the recipients’ email; unknown until its domain was looked up', example: 'google' }),
    domain: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'By domain of the recipients’ addresses; null for all that have no row of their own', example: 'example.org' }),
    ...counts,
  })
  .meta({ id: 'ReportRow' });

const answers = z
  .object({
    answered: proportion.meta({ description: 'Who replied, and did not ask to get no more email' }),
    positive: proportion.meta({ description: 'With a reply that has one of the positive labels of the workspace' }),
    asked_to_stop: proportion.meta({ description: 'Who asked to get no more email' }),
    labels: z.array(
      z.object({
        label: z.string().nullable().meta({ description: 'Null: contacts with an unlabelled reply', example: 'interested' }),
        is_positive: z.boolean(),
        contacts: count,
        rate: proportion,
      }),
    ),
  })
  .meta({
    id: 'ReportAnswers',
    description: 'The contacts who replied, by the labels of their replies; a contact counts once in a campaign for each label',
  });

const comparison = z
  .object({
    rate: z.enum(['opened', 'clicked', 'replied']).meta({ example: 'replied' }),
    difference: share.meta({ description: 'The rate of B less that of A', example: 0.03 }),
    low: share.meta({ example: -0.01 }),
    high: share.meta({ description: '`low` to `high` is the 95 % interval of the difference', example: 0.07 }),
    probability_b_better: share.meta({ description: 'That the true rate of B is higher than that of A', example: 0.93 }),
    too_few: z.boolean().meta({ description: 'Fewer than 30 emails were delivered in one of the groups' }),
  })
  .meta({ id: 'VariantComparison' });

const days = {
  since: z.string().nullable().meta({ description: 'The first day that is counted', example: '2026-01-31' }),
  until: z.string().nullable().meta({ description: 'The last day that is counted', example: '2026-02-14' }),
};

export const campaignReportSchema = z
  .object({
    by: z.enum(CAMPAIGN_REPORTS),
    ...days,
    rows: z.array(campaignRow),
    total,
    answers,
    comparison: z.array(comparison).optional().meta({ description: 'By variant' }),
  })
  .meta({ id: 'CampaignReport' });

const workspaceRow = z
  .object({
    campaign_id: count.optional().meta({ description: 'By campaign' }),
    campaign_name: z.string().optional(),
    rotation_id: count.nullable().optional().meta({ description: 'The rotation group of the campaign', example: null }),
    day,
    week,
    account_id: accountId,
    account_email: accountEmail,
    ...counts,
  })
  .meta({ id: 'WorkspaceReportRow' });

export const workspaceReportSchema = z
  .object({ by: z.enum(WORKSPACE_REPORTS), ...days, rows: z.array(workspaceRow), total, answers })
  .meta({ id: 'WorkspaceReport' });
