import { Args } from '@oclif/core';
import { quantity } from '../../core/english.ts';
import type { Api } from './api.ts';

/** The argument of every command about one rotation group. */
export const rotationArgument = Args.string({ required: true, description: 'id or name of the rotation group' });

/** A rotation group with its campaigns, as the API shows it. */
export type Rotation = Awaited<ReturnType<Api['rotations']['get']['query']>>;

/** A rotation group as lists show it: with its sums. */
export type RotationLine = Awaited<ReturnType<Api['rotations']['list']['query']>>['data'][number];

/** The rotation group that a campaign is in, if any. */
export async function rotationOf(api: Api, campaignId: number): Promise<RotationLine | undefined> {
  const { data } = await api.rotations.list.query({ campaign_id: campaignId, limit: 1 });
  return data[0];
}

/**
 * Returns a note for messages about changes to a whole rotation group: ` (all 3 accounts of rotation group 7)`. Empty for a campaign
 * without a group, and with --json, which prints no message.
 */
export async function groupNote(command: { jsonEnabled(): boolean }, api: Api, campaignId: number): Promise<string> {
  if (command.jsonEnabled()) return '';
  const group = await rotationOf(api, campaignId);
  return group === undefined ? '' : ` (${allAccounts(group)})`;
}

/** `all 3 accounts of rotation group 7`. */
export const allAccounts = ({ id, account_count }: RotationLine): string =>
  `${account_count === 1 ? 'the one account' : `all ${quantity(account_count, 'account')}`} of rotation group ${id}`;

/** Columns of a table of the campaigns of a group. */
export const MEMBER_COLUMNS = ['campaign_id', 'status', 'account_email', 'account_status', 'is_leaving', 'contacts', 'active', 'sent'];
