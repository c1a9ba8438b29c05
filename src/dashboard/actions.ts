import { plannedStart } from '../client/planned-start.ts';
import { systemClock } from '../core/clock.ts';
import { quantity } from '../core/english.ts';
import type { AccountLine, GroupLine } from '../live/index.ts';
import type { Proposal } from './action.ts';
import { settingsAction } from './campaign-settings.ts';
import type { Api } from './connection.ts';
import type { CallLine } from './state.ts';

export function campaignAction(key: string, { id, rotation_id, name, status, members }: GroupLine): Proposal | null {
  if (key === 'o') return settingsAction(id, name);
  const all = rotation_id === null ? '' : ` in all ${quantity(members.length, 'account')}`;
  if (key === 'p') {
    if (status !== 'active') return { refused: `"${name}" is ${status}; only an active campaign can be paused here` };
    const run = (api: Api) =>
      rotation_id === null ? api.campaigns.pause.mutate({ id }) : api.rotations.pause.mutate({ id: rotation_id }).then(() => undefined);
    return { question: `Pause the campaign "${name}"${all}? It sends nothing until it is resumed.`, done: `"${name}" is paused`, run };
  }
  if (key === 'r') {
    if (status === 'active') return { refused: `"${name}" is already active` };
    const run = async (api: Api) => {
      // A planned start stays, as with `campaign resume`.
      const starts_at = plannedStart(await api.campaigns.get.query({ id }), systemClock.now());
      await (rotation_id === null
        ? api.campaigns.activate.mutate({ id, starts_at })
        : api.rotations.activate.mutate({ id: rotation_id, starts_at }));
      const { data } = await api.campaigns.warnings.query({ id });
      const [first] = data;
      return first && `"${name}" is active, with ${quantity(data.length, 'warning')}: ${first.message}`;
    };
    return { question: `${status === 'draft' ? 'Start' : 'Resume'} the campaign "${name}"${all}?`, done: `"${name}" is active`, run };
  }
  return null;
}

export function accountAction(key: string, { id, email, status }: AccountLine): Proposal | null {
  if (key === 'p') {
    if (status !== 'active') return { refused: `${email} is already ${status}` };
    const run = (api: Api) => api.accounts.pause.mutate({ id });
    return { question: `Pause ${email} and its active campaigns?`, done: `${email} is paused`, run };
  }
  if (key === 'r') {
    if (status === 'active') return { refused: `${email} is already active` };
    const run = (api: Api) => api.accounts.resume.mutate({ id });
    return { question: `Resume ${email} and the campaigns paused with it?`, done: `${email} is active`, run };
  }
  return null;
}

export function callAction(key: string, call: CallLine): Proposal | null {
  if (key !== 'd' && key !== 's') return null;
  const outcome = key === 'd' ? ('done' as const) : ('skipped' as const);
  const run = (api: Api) => api.live.closeCall.mutate({ id: call.id, outcome, note: null });
  return { question: `Mark the call to ${call.name} (${call.email}) as ${outcome}?`, done: `the call to ${call.name} is ${outcome}`, run };
}
