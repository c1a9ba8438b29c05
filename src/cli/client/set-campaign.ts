import type { Interfaces } from '@oclif/core';
import { invalid } from '../../core/errors.ts';
import { hoursText } from '../../terminal/window-text.ts';
import { type campaignFlags, hasAny, optionsFrom, recordFrom } from '../campaign-flags.ts';
import type { Api } from './api.ts';
import { idOf } from './names.ts';
import { subsequencesFrom } from './subsequence-flags.ts';

type SetFlags = Interfaces.InferredFlags<typeof campaignFlags> & { account?: string | undefined; name?: string | undefined };

/**
 * Returns the change that the flags request: to a campaign and, where a setting applies to the whole rotation group, to the group.
 * Throws `invalid_request`, before anything is opened, if they request none.
 * @param command the command whose help names the flags
 */
export function changeFrom(flags: SetFlags, command: string): (api: Api, id: number) => Promise<void> {
  const fields = recordFrom(flags);
  const hasFields = hasAny({ ...fields, name: flags.name, account: flags.account });
  if (!hasFields && !hasOptions(flags)) throw invalid(`nothing to change; see: outreach ${command} --help`);
  return async (api, id) => {
    const accountId = flags.account === undefined ? undefined : await idOf(api, 'account', flags.account);
    const options = await resolvedOptions(api, flags);
    await api.campaignSetup.set.mutate({ id, ...fields, ...options, name: flags.name, account_id: accountId });
    await enrolExisting(api, flags, id, options.list_id);
  };
}

const hasOptions = (flags: SetFlags): boolean => hasAny({ ...optionsFrom(flags), list: flags.list, subsequence: flags.subsequence });

/** Returns the options in the flags, with ids for the records that they name. Throws the errors of `idOf`. */
export async function resolvedOptions(api: Api, flags: SetFlags) {
  const list_id = flags.list === undefined ? undefined : await listOf(api, flags.list);
  const subsequences = flags.subsequence && (await subsequencesFrom(api, flags.subsequence));
  return { ...optionsFrom(flags), list_id, subsequences };
}

/**
 * Enrols the contacts on a campaign's list if `--existing` is given. Call it after the list is set; otherwise contacts who join in between
 * would be missed.
 */
export async function enrolExisting(api: Api, { existing }: SetFlags, id: number, listId: number | null | undefined): Promise<void> {
  if (existing && typeof listId === 'number') await api.enrolments.enrol.mutate({ id, list_ids: [listId] });
}

const listOf = async (api: Api, list: string): Promise<number | null> => (list === 'none' ? null : idOf(api, 'list', list));

/** Returns the settings in the flags for the command's output: by name, with records as the flags name them. */
export function settingsIn(flags: SetFlags): Record<string, unknown> {
  const { account, list, subsequence } = flags;
  const { sending_hour_start, sending_hour_end, sending_hour_start_b, sending_hour_end_b, ...fields } = recordFrom(flags);
  const { more_hours: _, ...options } = optionsFrom(flags);
  const words = (hours: string | undefined) => hours && hoursText(hours.split(',').map((window) => window.trim()));
  const hours = { hours: words(flags.hours), hours_of_group_b: words(flags['hours-b']) };
  return { name: flags.name, account, ...hours, ...fields, ...options, list, subsequences: subsequence };
}

/** A campaign with its options. */
export async function campaignWithOptions(api: Api, id: number) {
  const [campaign, { campaign_id: _, ...options }] = await Promise.all([
    api.campaigns.get.query({ id }),
    api.campaignOptions.get.query({ id }),
  ]);
  return { ...campaign, ...options };
}
