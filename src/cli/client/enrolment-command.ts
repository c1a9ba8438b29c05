import { Args, type Interfaces } from '@oclif/core';
import type { Api } from './api.ts';
import { campaignArgument } from './campaign-argument.ts';
import { ClientCommand } from './client-command.ts';
import { contactIdOf } from './find-contact.ts';
import { campaignWith, membersOf } from './group-contacts.ts';
import { idOf } from './names.ts';
import type { TargetFlags } from './target.ts';

/** A contact of a campaign, as the API shows it. */
export type Enrolment = Awaited<ReturnType<Api['enrolments']['stop']['mutate']>>;

/** The arguments of a command about some contacts of a campaign. */
export const enrolmentArguments = {
  campaign: campaignArgument,
  contact: Args.string({ required: true, multiple: true, description: 'email address or id of a contact; several may be given' }),
};

/** The base of the commands that change some contacts of a campaign. */
export abstract class EnrolmentCommand extends ClientCommand {
  /**
   * Changes the contacts one after the other and prints a line each. Throws `not_found`, before any is changed, for one that does not
   * exist.
   * @param done the state that the line tells, for example `stopped`
   */
  protected async changeEach(
    flags: TargetFlags,
    { campaign, contact: contacts }: Interfaces.InferredArgs<typeof enrolmentArguments>,
    done: string,
    change: (api: Api, one: { id: number; contact_id: number }) => Promise<Enrolment>,
  ): Promise<{ data: Enrolment[] }> {
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', campaign);
    const members = await membersOf(api, id);
    const found: { id: number; contact_id: number }[] = [];
    for (const contact of contacts) {
      const contact_id = await contactIdOf(api, contact);
      found.push({ id: await campaignWith(api, id, members, contact_id), contact_id });
    }
    const data: Enrolment[] = [];
    for (const one of found) {
      const enrolment = await change(api, one);
      this.logLine(`${enrolment.email} is ${done}.`);
      data.push(enrolment);
    }
    return { data };
  }
}
