// Writes the options of campaigns and accounts to docs/options.md; test/docs/options.test.ts checks that it is current.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ACCOUNT_SETTINGS } from '../src/accounts/settings/index.ts';
import { CAMPAIGN_OPTIONS } from '../src/campaigns/options/index.ts';
import { optionsTable } from '../src/fields/option-text.ts';

/** Renders the current content of docs/options.md. */
export const renderOptions = () => `# Options

\`npm run docs\` generates this page from the declarations of the options. An option has one name: a field of the API has it, and a flag
has it with hyphens instead of underscores, unless a flag is named here. \`none\` as the value of a flag unsets an option whose default is
none.

## Campaigns

\`outreach campaign set\` and \`campaign create\` have these flags. In the API they are \`/campaigns/{id}/options\`, in
[campaign files](campaign-files.md) keys of \`options\`; \`cc\`, \`bcc\` and \`subsequences\` are keys of the file itself, \`list_id\` is \`list\`
with the name of the list, \`track_opens\` and \`track_clicks\` are \`opens\` and \`clicks\` of \`track\`, and \`more_hours\` are the second and further
\`hours\`. Options without a flag here are set by \`--hours\`, \`--list\` and \`--subsequence\`.

${optionsTable(CAMPAIGN_OPTIONS)}

## Accounts

\`outreach account set\` and \`account connect\` have these flags; \`--tag\` and \`--untag\` change the tags. A file for \`account import\` names its
columns like the flags, with underscores.

${optionsTable(ACCOUNT_SETTINGS)}
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('../docs/options.md', import.meta.url), renderOptions());
