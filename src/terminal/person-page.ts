import type { Client } from '../client/create-client.ts';
import { addressKey, isOneMailbox } from '../core/email-address.ts';
import { terminalText } from '../core/terminal-text.ts';
import { zoneOrUtc } from '../core/zone.ts';
import { type Fact, factsText } from './facts.ts';
import { localText } from './local-text.ts';
import { namedAddress } from './named-address.ts';
import { type Screen, screenOf } from './screen.ts';
import { table } from './table.ts';
import { shownLine } from './text-width.ts';

type Contact = Awaited<ReturnType<Client['contacts']['get']['query']>>;
type Details = Awaited<ReturnType<Client['contactPages']['details']['query']>>;
type Timeline = Awaited<ReturnType<Client['contactPages']['timeline']['query']>>;

/** The data of the page of one person. */
export interface Person {
  contact: Contact;
  details: Details;
  timeline: Timeline;
  /** The names of custom fields by their keys. */
  fields: ReadonlyMap<string, string>;
  /** The zone of the workspace. */
  timezone: string;
}

/** Reads the data of a person's page. Throws `not_found`. @param limit number of timeline entries, the newest first */
export async function readPerson(api: Client, id: number, limit: number): Promise<Person> {
  const [contact, details, timeline, fields, workspace] = await Promise.all([
    api.contacts.get.query({ id }),
    api.contactPages.details.query({ id }),
    api.contactPages.timeline.query({ id, limit }),
    api.customFields.list.query({}),
    api.access.workspace.query({}),
  ]);
  return {
    contact,
    details,
    timeline,
    fields: new Map(fields.data.map(({ key, name }) => [key, name])),
    timezone: zoneOrUtc(workspace.timezone ?? 'UTC'),
  };
}

/**
 * Returns the page of a person: who they are, whether they may be emailed, lists, campaigns, and the timeline with the text of every email.
 */
export function personText({ contact, details, timeline, fields, timezone }: Person, screen: Screen = screenOf({ timezone })): string {
  const { data, pagination } = timeline;
  const left = pagination.total - data.length;
  return [
    `${namedAddress(shownLine(contact.name), shownLine(contact.email))} (contact ${contact.id})${contact.is_archived ? ', archived' : ''}`,
    suppressionText(contact, details, timezone),
    factsText(contactFacts(contact, details, fields, timezone), screen),
    details.campaigns.length === 0 ? 'Not in any campaign.' : table(details.campaigns.map(withReason), CAMPAIGN_COLUMNS, screen),
    data.length === 0 ? 'Nothing has been sent to them yet.' : `What happened, newest first (${timezone}):`,
    ...data.map((entry) => entryText(entry, timezone)),
    ...(left > 0 ? [`${left} older entries are not shown; --entries shows more.`] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/**
 * Says that a contact may be emailed, or why not, since when and by whom. The suppression of another address of the same mailbox counts,
 * too.
 */
function suppressionText(contact: Contact, { suppressions }: Details, timezone: string): string {
  if (suppressions.length === 0) return 'May be emailed: neither the address nor its domain is suppressed.';
  return suppressions
    .map(({ email, reason, source, created_at }) => {
      const why = [reason === null ? null : shownLine(reason), source === null ? null : `from ${shownLine(source)}`].filter(
        (part) => part !== null,
      );
      const isAnother = !email.startsWith('@') && addressKey(email) !== addressKey(contact.email) && isOneMailbox(email, contact.email);
      return `Suppressed: ${shownLine(email)}${isAnother ? ', which is the same mailbox' : ''}, since ${localText(created_at, timezone)}${why.length === 0 ? '' : ` (${why.join(', ')})`}`;
    })
    .join('\n');
}

function contactFacts(
  { company, custom_fields, is_shared_to_all }: Contact,
  { lists, verification }: Details,
  fields: Person['fields'],
  timezone: string,
): Fact[] {
  return [
    ['Company', company],
    ...Object.entries(custom_fields).map(([key, value]): Fact => [shownLine(fields.get(key) ?? key), value]),
    ['Lists', lists.length === 0 ? 'none' : lists.map(({ name }) => name).join(', ')],
    [
      'Address',
      verification &&
        `${verification.verdict}: ${shownLine(verification.reason)} (checked ${localText(verification.checked_at, timezone)})`,
    ],
    ['Shared', is_shared_to_all ? 'with everyone in the workspace' : null],
  ];
}

const CAMPAIGN_COLUMNS = ['campaign_name', 'status', 'current_step', 'variant', 'next_send_at', 'why', 'account_email'];

/** Adds to the row of a campaign the reason why the contact is held or was stopped. */
function withReason(row: Details['campaigns'][number]) {
  const { status, stop_reason, hold_reason } = row;
  return { ...row, why: status === 'active' ? hold_reason : stop_reason };
}

function entryText(
  { at, type, campaign_name, step_order, account_email, subject, text, url, state, error, because }: Timeline['data'][number],
  zone: string,
) {
  const where = `step ${step_order} of "${shownLine(campaign_name)}"`;
  const time = localText(at, zone).slice(0, 'YYYY-MM-DD HH:MM'.length);
  const said = error === null ? '' : `\n${shownLine(error)}`;
  if (type === 'call') return `── ${time}  call, ${where}, ${state}${text === null ? '' : `\n${terminalText(text).trimEnd()}`}`;
  if (account_email === null)
    return `── ${time}  ${type.replaceAll('_', ' ')}, ${where}${url === null ? '' : `  ${shownLine(url)}`}${said}`;
  const what =
    type === 'email'
      ? `email, ${where}, from ${account_email}`
      : type === 'answer'
        ? `answer from ${account_email}`
        : `${type.replaceAll('_', ' ')}${because === null || because === '' ? '' : ` (${because})`}`;
  const head = `── ${time}  ${what}${state === null || state === 'sent' ? '' : `, ${state}`}  ${shownLine(subject)}`;
  return `${head}${said}\n${text === null ? '(its text is not kept)' : terminalText(text).trimEnd()}`;
}
