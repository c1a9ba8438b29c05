/** The records of each topic, and the command that creates the first. */
const LISTED: Readonly<Record<string, readonly [things: string, make: string | null]>> = {
  account: ['accounts', 'account connect ADDRESS'],
  call: ['calls', null],
  campaign: ['campaigns', 'campaign create NAME --account ADDRESS'],
  contact: ['contacts', 'contact import FILE'],
  field: ['custom fields', 'field create NAME'],
  history: ['changes', null],
  key: ['API keys', 'key create NAME --user ADDRESS'],
  list: ['lists', 'list create NAME'],
  outbox: ['emails', null],
  reply: ['replies', null],
  rotation: ['rotation groups', 'rotation create CAMPAIGN --accounts A,B'],
  suppression: ['suppressions', 'suppression add ADDRESS'],
  template: ['templates', 'template create NAME'],
  trash: ['records in the trash', null],
  user: ['users', 'user create ADDRESS --name NAME --role ROLE'],
  webhook: ['webhooks', 'webhook add URL'],
  workspace: ['members', 'user create ADDRESS --name NAME --role ROLE'],
};

/** The texts for lists of the parts of a record, by command. */
const PARTS: Readonly<Record<string, string>> = {
  'share list': 'Shared with nobody in particular; share it with: outreach share add KIND RECORD USER',
  'campaign contacts': 'No contacts in the campaign; enrol some with: outreach campaign enrol CAMPAIGN --list LIST',
  'campaign step list': 'No steps in the campaign; add one with: outreach campaign step add CAMPAIGN --subject TEXT --text-file FILE',
  'report emails': 'Nobody gets a report by email; set one with: outreach report --email USER --weekly',
  'report links': 'No links to reports; make one with: outreach report share CAMPAIGN',
  'webhook deliveries': 'No deliveries of the webhook; make one with: outreach webhook test ID',
};

/**
 * Returns the text of an empty list.
 * @param id of the command, with colons
 * @param isFiltered true if the command listed only some of the records
 */
export function noneText(id: string, { workspace, isFiltered }: { workspace: string; isFiltered: boolean }): string {
  const command = id.replaceAll(':', ' ');
  const [things, make] = LISTED[command.split(' ')[0] ?? ''] ?? ['records', null];
  const part = PARTS[command];
  if (part !== undefined) return part;
  if (isFiltered) return `No ${things} in workspace "${workspace}" match.`;
  return `No ${things} in workspace "${workspace}"${make === null ? '.' : `; make the first with: outreach ${make}`}`;
}
