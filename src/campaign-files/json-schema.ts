import { z } from 'zod';
import { campaignFile } from './schema.ts';

/** The schema of a campaign file as JSON Schema, draft 7, for editors. What follows from several keys stands in docs/campaign-files.md alone. */
export const campaignSchema = (): object => ({
  title: 'Outreach campaign',
  ...z.toJSONSchema(campaignFile, { io: 'input', target: 'draft-7' }),
});
