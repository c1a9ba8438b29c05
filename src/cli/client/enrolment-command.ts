import { Args, Flags, type Interfaces } from '@oclif/core';
import { eachRecord } from '../../client/pages.ts';
import { quantity } from '../../core/english.ts';
import { invalid, isNotFound, messageOf } from '../../core/errors.ts';
import { say } from '../terminal.ts';
import type { Api } from './api.ts';
import { apiError } from './api-error.ts';
import { campaignArgument } from './campaign-argument.ts';
import { ClientCommand } from './client-command.ts';
import { contactIdOf } from './find-contact.ts';
import { type CampaignContact, campaignWith, contactsOfGroup, membersOf, notInCampaign } from './group-contacts.ts';
import { idOf } from './names.ts';
import { searchedIds } from './searched-ids.ts';
import type { TargetFlags } from './target.ts';

/** A contact of a campaign, as the API shows it. */
export type Enrolment = Awaited<ReturnType<Api['enrolments']['stop']['mutate']>>;

/** The result for a contact that could not be changed, if there are several. */
export interface FailedContact {
  contact_id: number;
  error: string;
}

/** The numbers of contacts that a search found: changed and not changed. */
type ChangedMany = Awaited<ReturnType<Api['enrolments']['stopMany']['mutate']>>;

/** The arguments of a command about some contacts of a campaign. */
export const enrolmentArguments = {
  campaign: campaignArgument,
  contact: Args.string({ multiple: true, description: 'email address or id of a contact; several may be given' }),
};

/** The flag that chooses contacts of the campaign by a search. */
export const enrolmentFlags = {
  search: Flags.string({ description: 'every contact of the campaign that a query finds', helpValue: 'QUERY' }),
};

/** The base of the commands that change some contacts of a campaign. */
export abstract class EnrolmentCommand extends ClientCommand {
  /**
   * Changes the contacts that a search finds, all in one call, and says how many. Throws `invalid_request` if it finds none.
   * @param done the new state as the line says it, for example `stopped`
   */
  protected async changeFound(
    flags: TargetFlags,
    campaign: string,
    query: string,
    done: string,
    change: (api: Api, found: { id: number; q: string }) => Promise<ChangedMany>,
  ): Promise<ChangedMany> {
    const api = await this.client(flags);
    const result = await change(api, { id: await idOf(api, 'campaign', campaign), q: query });
    const { changed, unchanged } = result;
    if (changed + unchanged === 0) throw invalid(`--search: no contact of the campaign matches "${query}"`);
    const others = unchanged === 0 ? '' : ` ${quantity(unchanged, 'contact was', 'contacts were')} not active.`;
    this.log(`${quantity(changed, 'contact is', 'contacts are')} ${done}.${others}`);
    return result;
  }

  /**
   * Changes the contacts in turn and prints a line for each. If there is only one, its error is that of the command. If there are several,
   * a failure does not stop the others, but makes the exit status 1. Throws `not_found`, before any is changed, for a contact that does not exist.
   * @param line the text for a contact that was changed
   */
  protected async changeEach(
    flags: TargetFlags & { search?: string | undefined },
    { campaign, contact: contacts = [] }: Interfaces.InferredArgs<typeof enrolmentArguments>,
    line: (enrolment: Enrolment) => string,
    change: (api: Api, one: { id: number; contact_id: number }) => Promise<Enrolment>,
  ): Promise<{ data: (Enrolment | FailedContact)[] }> {
    if (contacts.length > 0 === (flags.search !== undefined)) throw invalid('name the contacts, or pass --search QUERY');
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', campaign);
    const members = await membersOf(api, id);
    const found = flags.search === undefined ? await namedIn(api, id, members, contacts) : await searchedIn(api, id, members, flags.search);
    const data: (Enrolment | FailedContact)[] = [];
    for (const { name, ...one } of found) {
      try {
        const enrolment = await change(api, one);
        this.logLine(line(enrolment));
        data.push(enrolment);
      } catch (thrown) {
        const failure = apiError(thrown, this.server ?? undefined);
        const error = isNotFound(failure) ? notInCampaign(name, id) : failure;
        if (found.length === 1) throw error;
        process.exitCode = 1;
        say(`${name}: ${messageOf(error)}`);
        data.push({ contact_id: one.contact_id, error: messageOf(error) });
      }
    }
    return { data };
  }
}

/** The members of a campaign's rotation group; undefined for a campaign without a group. */
type Members = Awaited<ReturnType<typeof membersOf>>;

/** A contact of the campaign `id`, with the name that the user gave. */
interface Found {
  id: number;
  contact_id: number;
  name: string;
}

/** The contacts of a campaign, or of its rotation group, with these names. Throws `not_found` for one that does not exist. */
async function namedIn(api: Api, id: number, members: Members, names: readonly string[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const name of names) {
    const contact_id = await contactIdOf(api, name);
    found.push({ id: await campaignWith(api, id, members, { contactId: contact_id, name }), contact_id, name });
  }
  return found;
}

/** The contacts of a campaign, or of its rotation group, that a query finds. Throws `invalid_request` for a malformed query, and if there are none. */
async function searchedIn(api: Api, id: number, members: Members, query: string): Promise<Found[]> {
  const wanted = new Set(await searchedIds(api, query));
  const read =
    members === undefined
      ? (page: { limit: number; offset: number }) => api.enrolments.list.query({ id, ...page })
      : contactsOfGroup(api, members, undefined);
  const all = await Array.fromAsync(eachRecord<CampaignContact>(read));
  const found = all.filter(({ contact_id }) => wanted.has(contact_id));
  if (found.length === 0) throw invalid(`--search: no contact of the campaign matches "${query}"`);
  return found.map(({ campaign_id = id, contact_id, email }) => ({ id: campaign_id, contact_id, name: email }));
}
