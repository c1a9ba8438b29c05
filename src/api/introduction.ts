/** What holds for every operation; the head of the reference. */
export const INTRODUCTION = `Multi-step cold-email campaigns.

- **Key.** Every request carries \`Authorization: Bearer <API_KEY>\`. A key acts as its owner, in one workspace. What the
  owner may not see answers 404.
- **JSON.** Requests and responses are JSON. Types are never coerced in a body; a name that is no field gives 400. PATCH
  changes the fields it names. DELETE is soft and answers 204.
- **Ids** are integers. **Timestamps** in responses are UTC, \`YYYY-MM-DD HH:MM:SS\`; in requests RFC 3339 with a zone.
- **Pages.** Lists take \`limit\` (1 to 200, default 50) and \`offset\`, and answer \`{ data, pagination: { total, limit, offset } }\`.
  Small collections answer \`{ data }\`.
- **Errors** are \`{ error: { code, message } }\`; the message names the field and the rule. They are looked for in the order
  401, 403, 404, 400, 409.
- **Retries.** A POST with an \`Idempotency-Key\` is done once within 24 hours.
- **Limits.** A body has at most 5 MiB and 20 levels. There is no rate limit.`;

/** The groups of operations, in the order in which a reader wants them. */
export const TAGS: { name: string; description: string }[] = [
  { name: 'Identity', description: 'Whom the key speaks for' },
  { name: 'Campaigns', description: 'Campaigns and their lifecycle' },
  { name: 'Steps', description: 'The mails and calls of a campaign, in order' },
  { name: 'Enrolment', description: 'Contacts within a campaign' },
  { name: 'Campaign events and stats', description: 'What happened in one campaign, and what it achieved' },
  { name: 'Contacts', description: 'People who can be written to, and the search among them' },
  { name: 'Lists', description: 'Lists of contacts' },
  { name: 'Custom fields', description: 'Fields of the workspace that contacts have values of' },
  { name: 'Suppressions', description: 'Addresses that are never written to, organisation-wide' },
  { name: 'Templates', description: 'Reusable bodies and signatures' },
  { name: 'Sending accounts', description: 'Mailboxes; connected and set up at the command line alone' },
  { name: 'Event feed', description: 'What happened across all campaigns' },
  { name: 'Sharing', description: 'Who sees what is not shared to all; for its creator and admins' },
  { name: 'Users', description: 'The people of the workspace; for admins' },
  { name: 'Webhooks', description: 'Events pushed to other programs; for admins and managers' },
];
