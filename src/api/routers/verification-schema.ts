import { z } from 'zod';
import { VERDICTS, VERIFIERS, type Verification } from '../../contacts/index.ts';
import { timestampText, untrusted } from '../../fields/fields.ts';

/** The result of the check of an address. */
export const verificationSchema = z
  .object({
    verdict: z.enum(VERDICTS).meta({ example: 'risky' }),
    reason: z.string().meta({ ...untrusted, example: 'a role address, not that of one person' }),
    source: z.enum(VERIFIERS).meta({ description: 'Outreach itself, or the verifier of the setting `verify_url`', example: 'outreach' }),
    checked_at: timestampText,
  })
  .meta({ id: 'Verification' }) satisfies z.ZodType<Verification>;
