import { z } from 'zod';
import { CAMPAIGN_STATUSES, type CampaignRow, WARNING_CODES } from '../../campaigns/index.ts';
import { timestampText, untrusted } from '../../fields/fields.ts';

/** A campaign in responses. */
export const campaignSchema = z
  .object({
    id: z.number().int(),
    name: z.string().meta({ example: 'Spring outreach' }),
    status: z.enum(CAMPAIGN_STATUSES),
    account_id: z.number().int(),
    account_email: z.string(),
    reply_to: z.string().nullable(),
    reply_to_connected: z.boolean(),
    timezone: z.string(),
    sending_days: z.array(z.number().int().min(1).max(7)),
    sending_hour_start: z.number().int(),
    sending_hour_end: z.number().int(),
    ab_test_enabled: z.boolean(),
    ab_split_percent: z.number().int(),
    sending_hour_start_b: z.number().int().nullable(),
    sending_hour_end_b: z.number().int().nullable(),
    starts_at: timestampText.nullable(),
    is_archived: z.boolean(),
    is_shared_to_all: z.boolean(),
    step_count: z.number().int(),
    contact_count: z.number().int(),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .meta({ id: 'Campaign' }) satisfies z.ZodType<CampaignRow>;

/** A warning of the check before a campaign is activated. */
export const warningSchema = z
  .object({
    code: z.enum(WARNING_CODES),
    is_blocking: z.boolean().meta({ description: 'It keeps emails from leaving' }),
    step_order: z.number().int().nullable().meta({ description: 'The step that it is about; null for the campaign' }),
    contacts: z.number().int().nullable().meta({ description: 'Number of active contacts that it concerns; null if that was not counted' }),
    message: z.string().meta({ ...untrusted, example: 'step 1: unknown placeholder {{frist_name}}; its emails will be held' }),
  })
  .meta({ id: 'CampaignWarning' });
