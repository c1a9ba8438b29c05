import type { Call } from './call.ts';

type Input = Readonly<Record<string, unknown>>;

interface CampaignFacts {
  name: string;
  status: string;
}

/**
 * Describes the emails that a call would send, copy or rewrite for contacts in a campaign, or the suppression of more than one person; undefined
 * for a call without such a consequence. Reads the state that this depends on from the API. If it can't tell, the call needs a confirmation.
 * @param procedure one of those for which `isDependent` is true
 */
export async function consequenceOf(procedure: string, input: Input, call: Call): Promise<string | undefined> {
  const [resource = ''] = procedure.split('.');
  if (['steps', 'campaigns', 'campaignOptions'].includes(resource)) return changeOfCampaign(input.id, call);
  if (procedure === 'replies.update')
    return input.label === undefined || input.label === null
      ? undefined
      : 'a label may enrol the contact in another campaign, which sends emails';
  if (procedure === 'suppressions.add') return suppressionOf([input]);
  if (procedure === 'suppressions.addBatch') return suppressionOf(listIn(input.suppressions));
  return changeOfContacts(procedure, input);
}

function suppressionOf(rows: readonly Input[]): string | undefined {
  if (rows.length > 1) return `it suppresses ${rows.length} addresses or domains and stops their sequences`;
  return /^\s*\*?@/.test(String(rows[0]?.email))
    ? 'it suppresses everybody at that domain and stops their sequences, which do not resume when it is removed'
    : undefined;
}

async function changeOfCampaign(id: unknown, call: Call): Promise<string | undefined> {
  const { name, status } = (await call('query', 'campaigns.get', { id })) as CampaignFacts;
  if (status === 'draft') return undefined;
  const enrolled = (await call('query', 'enrolments.list', { id, status: 'active', limit: 1 })) as { pagination: { total: number } };
  const { total } = enrolled.pagination;
  return `campaign "${name}" is ${status}, and what ${total === 1 ? '1 contact gets' : `${total} contacts get`} next would change`;
}

function changeOfContacts(procedure: string, input: Input): string | undefined {
  const rows = procedure === 'contacts.batch' ? listIn(input.contacts) : [input];
  if (rows.some(({ list_ids }) => listIn(list_ids).length > 0)) return 'a campaign that watches the list enrols contacts who join it';
  if (procedure === 'contacts.update' && input.email !== undefined) return 'the next emails of the contact go to another address';
  if (procedure === 'contacts.batch' && input.update === true)
    return `it may rewrite ${rows.length} contacts, whom emails are written from`;
  return undefined;
}

/** Returns the list; input that the API would refuse counts as empty. */
const listIn = (list: unknown): Input[] => (Array.isArray(list) ? list : []);
