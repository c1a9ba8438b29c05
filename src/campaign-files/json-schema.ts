import { z } from 'zod';
import { campaignFile } from './schema.ts';

/** The schema of a campaign file as JSON Schema, draft 7, for editors. Only docs/campaign-files.md has the rules that concern several keys. */
export const campaignSchema = (): object => ({
  title: 'Outreach campaign',
  ...z.toJSONSchema(campaignFile, { io: 'input', target: 'draft-7' }),
});
