import { z } from 'zod';
import type { ContactRow } from '../../contacts/index.ts';
import { timestampText } from '../../fields/fields.ts';

/** A contact in responses. */
export const contactSchema = z
  .object({
    id: z.number().int(),
    name: z.string(),
    email: z.string(),
    company: z.string().nullable(),
    custom_fields: z.record(z.string(), z.string()),
    is_archived: z.boolean(),
    is_shared_to_all: z.boolean(),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .meta({ id: 'Contact' }) satisfies z.ZodType<ContactRow>;

/** Only its type is checked here: the parser checks length and syntax, and its messages say where the mistake is. */
export const searchText = z.string('must be a query, for example company:acme').normalize('NFC').meta({
  minLength: 1,
  maxLength: 1_000,
  description: 'A query of the Smart Search language',
  example: 'company:acme -replied:true created:>30d',
});
