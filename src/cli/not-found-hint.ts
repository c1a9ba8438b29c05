/** The command that lists the existing records, by the noun of a `not_found` error. */
const LISTED_BY: Record<string, string> = {
  account: 'account list',
  call: 'call list',
  campaign: 'campaign list',
  contact: 'contact list',
  'custom field': 'field list',
  delivery: 'webhook deliveries ID',
  email: 'outbox list --uncertain',
  field: 'field list',
  draft: 'reply drafts',
  'history entry': 'history',
  key: 'key list',
  list: 'list list',
  reply: 'reply list',
  'report link': 'report links',
  'rotation group': 'rotation list',
  step: 'campaign step list ID',
  suppression: 'suppression list',
  template: 'template list',
  user: 'user list',
  webhook: 'webhook list',
  workspace: 'workspace list',
};

/** Adds the command that lists the existing records to a `not_found` message, unless it names a command already. */
export function withListOf(message: string): string {
  const [, noun = ''] = /^([a-z ]+?)( ".*"| \d+)? not found(?: in workspace "[^"]*")?$/.exec(message) ?? [];
  const list = / in the trash$/.test(message) ? 'trash list' : LISTED_BY[noun];
  return list === undefined ? message : `${message}; see: outreach ${list}`;
}
