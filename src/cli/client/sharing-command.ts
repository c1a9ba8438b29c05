import { Args } from '@oclif/core';
import type { Api } from './api.ts';
import { ClientCommand } from './client-command.ts';
import { contactIdOf } from './find-contact.ts';
import { membersOf } from './group-contacts.ts';
import { idOf } from './names.ts';

const KINDS = { account: 'accounts', campaign: 'campaigns', contact: 'contacts', template: 'templates' } as const;
type Kind = keyof typeof KINDS;

/** The arguments of the commands about who sees a record. */
export const recordArguments = {
  kind: Args.option({ description: 'kind of the record', options: Object.keys(KINDS) as Kind[] })({ required: true }),
  record: Args.string({ required: true, description: 'id or name of the record; an account and a contact also by address' }),
};
export const userArgument = Args.string({
  required: true,
  description: 'id or email address of the user; only admins can look up the addresses of others',
});

/** The base of the commands about who sees a record and who owns it. */
export abstract class SharingCommand extends ClientCommand {
  /** Returns the procedures for a kind of record, and the ids that an argument names: for a campaign in a rotation group, those of all members. */
  protected async sharing(api: Api, kind: Kind, record: string) {
    const id = kind === 'contact' ? await contactIdOf(api, record) : await idOf(api, kind, record);
    const members = kind === 'campaign' ? await membersOf(api, id) : undefined;
    return { shares: api.shares[KINDS[kind]], id, ids: members?.map(({ campaign_id }) => campaign_id) ?? [id] };
  }
}
