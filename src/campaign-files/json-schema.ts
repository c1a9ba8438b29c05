import { z } from 'zod';
import { campaignFile } from './schema.ts';

/**
 * Returns the schema of a campaign file as JSON Schema, draft 7, for editors. Rules that concern several keys are only in
 * docs/campaign-files.md.
 */
export const campaignSchema = (): object => ({
  title: 'Outreach campaign',
  ...z.toJSONSchema(campaignFile, { io: 'input', target: 'draft-7' }),
});
