import { Flags } from '@oclif/core';
import type { Api } from '../../src/cli/client/api.ts';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { findContact } from '../../src/cli/client/find-contact.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { searchedIds } from '../../src/cli/client/searched-ids.ts';
import { grouped, quantity } from '../../src/core/english.ts';

/** The API takes at most this many contacts in one call. */
const MAX_IDS = 10_000;
const REASONS = {
  ...{
    already_enrolled: 'already enrolled',
    archived: 'archived',
    emailed_before: 'emailed before, when this was the address of another contact',
  },
  ...{ in_other_campaign: 'in another campaign', not_found: 'not found', risky_address: 'address bad or risky (skip_risky)' },
} as const;

interface SkippedContact {
  /** The email address or id that was given, or the id of a contact of a list or a search. */
  contact: string | number;
  reason: keyof typeof REASONS;
}

export default class CampaignEnrol extends ClientCommand {
  static override description = `Enrol contacts in a campaign

Takes the contacts of a list, contacts by their email address or id, or those that a search finds. Contacts who are enrolled already, archived \
or not found are skipped, and the reason is shown.`;
  static override examples = [
    '<%= config.bin %> campaign enrol 7 --list "Spring fair"',
    '<%= config.bin %> campaign enrol 7 --contact ada@example.org --contact 42',
    '<%= config.bin %> campaign enrol "Spring fair" --search "company:acme created:>30d"',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    contact: Flags.string({
      description: 'email address or id of a contact; may be repeated',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'C',
      exactlyOne: ['contact', 'list', 'search'],
      exclusive: ['list', 'search'],
    }),
    list: Flags.string({ description: 'id or name of a list', helpValue: 'L', exclusive: ['contact', 'search'] }),
    search: Flags.string({
      description: 'query of the Smart Search language (docs/smart-search.md)',
      helpValue: 'QUERY',
      exclusive: ['contact', 'list'],
    }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignEnrol);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const result = await enrolWanted(api, id, flags);
    if (this.jsonEnabled()) return result;
    this.log(`${quantity(result.enrolled, 'contact')} enrolled, ${grouped(result.skipped.length)} skipped.`);
    for (const [reason, skipped] of Map.groupBy(result.skipped, ({ reason }) => reason))
      this.logLine(`  ${grouped(skipped.length)} × ${REASONS[reason]}${await namesOf(api, skipped)}`);
    if (result.enrolled > 0) this.next(`campaign check ${id}`);
    return result;
  }
}

/** Maximum number of contacts named in a line. */
const NAMED = 3;

/** Names the first skipped contacts for a line: `: ada@example.org, li@example.org …`. */
async function namesOf(api: Api, skipped: readonly SkippedContact[]): Promise<string> {
  const names = await Promise.all(
    skipped.slice(0, NAMED).map(({ contact }) =>
      typeof contact === 'string'
        ? contact
        : api.contacts.get.query({ id: contact }).then(
            ({ email }) => email,
            () => `contact ${contact}`,
          ),
    ),
  );
  return `: ${names.join(', ')}${skipped.length > NAMED ? ' …' : ''}`;
}

interface Wanted {
  contact?: string[] | undefined;
  list?: string | undefined;
  search?: string | undefined;
}

async function enrolWanted(
  api: Api,
  id: number,
  { contact, list, search }: Wanted,
): Promise<{ enrolled: number; skipped: SkippedContact[] }> {
  if (list !== undefined) return enrol(api, { id, list_ids: [await idOf(api, 'list', list)] });
  if (search !== undefined) return enrolIds(api, id, await searchedIds(api, search));
  const given: { word: string; id: number | undefined }[] = [];
  for (const word of contact ?? []) given.push({ word, id: await findContact(api, word) });
  const unknown = given.filter((one) => one.id === undefined).map(({ word }) => ({ contact: word, reason: 'not_found' as const }));
  const found = given.flatMap((one) => (one.id === undefined ? [] : [one.id]));
  const { enrolled, skipped } = found.length === 0 ? { enrolled: 0, skipped: [] } : await enrolIds(api, id, found);
  const named = skipped.map((one) => ({ ...one, contact: given.find((each) => each.id === one.contact)?.word ?? one.contact }));
  return { enrolled, skipped: [...named, ...unknown] };
}

async function enrolIds(api: Api, id: number, ids: readonly number[]): Promise<{ enrolled: number; skipped: SkippedContact[] }> {
  const all: { enrolled: number; skipped: SkippedContact[] } = { enrolled: 0, skipped: [] };
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const { enrolled, skipped } = await enrol(api, { id, contact_ids: ids.slice(at, at + MAX_IDS) });
    all.enrolled += enrolled;
    all.skipped.push(...skipped);
  }
  return all;
}

async function enrol(
  api: Api,
  input: { id: number; contact_ids?: number[]; list_ids?: number[] },
): Promise<{ enrolled: number; skipped: SkippedContact[] }> {
  const { enrolled, skipped = [] } = await api.enrolments.enrol.mutate({ ...input, details: true });
  return { enrolled, skipped: skipped.map(({ contact_id, reason }) => ({ contact: contact_id, reason })) };
}
