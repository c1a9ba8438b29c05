import { z } from 'zod';
import { ACCOUNT_STATUSES, type AccountRow, PAUSE_REASONS, PROVIDERS, RECORD_SETTINGS } from '../../accounts/index.ts';
import { timestampText, untrusted } from '../../fields/fields.ts';
import { schemasOf } from '../../fields/option-schema.ts';

/** A sending account, as the API shows it. */
export const accountSchema = z
  .object({
    id: z.number().int(),
    provider: z.enum(PROVIDERS),
    email: z.string().meta({ example: 'zoe@example.com' }),
    ...schemasOf(RECORD_SETTINGS),
    status: z.enum(ACCOUNT_STATUSES).meta({ example: 'active' }),
    pause_reason: z.enum(PAUSE_REASONS).nullable(),
    pause_message: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: "The provider's reply, with provider_error" }),
    is_archived: z.boolean(),
    connected_at: timestampText,
  })
  .meta({ id: 'Account' }) satisfies z.ZodType<AccountRow>;

export const accountPassword = z.string('must be a string').min(1, 'must not be empty').max(10_000, 'at most 10000 characters');
export const serverUrl = z.string('must be a string').max(2_048, 'at most 2048 characters');
