/** The description at the top of the API reference: what applies to every operation. */
export const INTRODUCTION = `Multi-step cold-email campaigns.

- **Key.** Send \`Authorization: Bearer <API_KEY>\` with every request. A key acts as its owner, in one workspace. What the
  owner may not see returns 404. Every operation names the scope that a key needs: \`read\` is for every role, \`write\`, \`connect\`
  and \`drafts\` for admins and managers, \`admin\` for admins.
- **JSON.** Requests and responses are JSON. Types in a body are never coerced; an unknown field returns 400. PATCH
  changes the fields it names. PATCH and PUT ignore the read-only ones, so that what GET returned can be sent back. DELETE is soft and returns 204.
- **Ids** are integers. **Timestamps** in responses are UTC, \`YYYY-MM-DD HH:MM:SS\`; requests take that too, and RFC 3339 with a zone.
- **Pages.** Lists take \`limit\` (1 to 200, default 50) and \`offset\`, and return \`{ data, pagination: { total, limit, offset } }\`.
  Small collections return \`{ data }\`.
- **Errors** are \`{ error: { code, message } }\`; the message names the field and the rule. They are checked in the order
  401, 403, 404, 400, 409.
- **Retries.** A POST with an \`Idempotency-Key\` is handled once within 24 hours.
- **Limits.** A body has at most 5 MiB, 100,000 values and 20 levels, a response 32 MiB. There is no rate limit.
  A key may have a few hundred requests in flight; one more returns 429 with \`Retry-After\`.`;

/** The groups of operations, in the order of the reference. */
export const TAGS: { name: string; description: string }[] = [
  { name: 'Identity', description: 'The owner and the workspace of the key' },
  { name: 'Campaigns', description: 'Campaigns and their lifecycle' },
  { name: 'Steps', description: 'The emails and calls of a campaign, in order' },
  { name: 'Rotation groups', description: 'Campaigns that send one sequence from several accounts' },
  { name: 'Enrolment', description: 'Contacts in a campaign' },
  { name: 'Campaign events and stats', description: 'What happened in a campaign, and its figures' },
  { name: 'Reports', description: 'What came of the emails, with rates and comparisons' },
  { name: 'Calls', description: 'The calls that people make as steps of campaigns' },
  { name: 'Contacts', description: 'People to send email to, and the search for them' },
  { name: 'Imports', description: 'Contacts from CSV files, in the background' },
  { name: 'Lists', description: 'Lists of contacts' },
  { name: 'Custom fields', description: 'Fields that the workspace adds to its contacts' },
  { name: 'Suppressions', description: 'Addresses that must never be emailed, organisation-wide' },
  { name: 'Templates', description: 'Reusable emails and signatures' },
  { name: 'Sending accounts', description: 'Accounts that send campaigns; connected and set up on the command line only' },
  { name: 'Replies', description: 'What came back: read, labelled, assigned' },
  { name: 'Event feed', description: 'What happened in all campaigns' },
  { name: 'Sharing', description: 'Who may see what is not shared with everybody; for its creator and admins' },
  { name: 'Users', description: 'The members of the workspace; for admins' },
  { name: 'API keys', description: 'Keys of the members; for admins' },
  { name: 'Webhooks', description: 'Events pushed to other programs; for admins and managers' },
  { name: 'Outbox', description: 'Every email and what became of it; for admins' },
  { name: 'Trash', description: 'Deleted records; for admins' },
  { name: 'Audit log', description: 'Who changed what; for admins' },
  { name: 'Personal data', description: 'What is stored about a person in all workspaces; for admins of the default workspace' },
];
