import type { Interfaces } from '@oclif/core';
import { invalid } from '../../core/errors.ts';
import { type campaignFlags, hasAny, optionsFrom, recordFrom } from '../campaign-flags.ts';
import type { Api } from './api.ts';
import { idOf } from './names.ts';

type SetFlags = Interfaces.InferredFlags<typeof campaignFlags> & { account?: string | undefined; name?: string | undefined };

/**
 * The change that flags ask for, to be made to a campaign and what holds for its rotation group. Throws `invalid_request`, before
 * anything is opened, when they name none.
 * @param command the command whose help names the flags
 */
export function changeFrom(flags: SetFlags, command: string): (api: Api, id: number) => Promise<void> {
  const [fields, options] = [recordFrom(flags), optionsFrom(flags)];
  const hasFields = hasAny({ ...fields, name: flags.name, account: flags.account });
  if (!hasFields && !hasAny(options)) throw invalid(`nothing to change; see: outreach ${command} --help`);
  return async (api, id) => {
    const accountId = flags.account === undefined ? undefined : await idOf(api, 'account', flags.account);
    if (hasFields) await api.campaigns.update.mutate({ id, ...fields, name: flags.name, account_id: accountId });
    if (hasAny(options)) await api.campaignOptions.update.mutate({ id, ...options });
  };
}

/** A campaign with its options. */
export async function campaignWithOptions(api: Api, id: number) {
  const { campaign_id: _, ...options } = await api.campaignOptions.get.query({ id });
  return { ...(await api.campaigns.get.query({ id })), ...options };
}
