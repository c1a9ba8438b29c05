// Writes the schema of campaign files to docs/campaign.schema.json; test/campaign-files/parse.test.ts checks that it is current.
import { writeFileSync } from 'node:fs';
import { campaignSchema } from '../src/campaign-files/json-schema.ts';

writeFileSync(new URL('../docs/campaign.schema.json', import.meta.url), `${JSON.stringify(campaignSchema(), null, 2)}\n`);
