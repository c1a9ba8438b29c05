import { quantity } from '../core/english.ts';
import type { AccountLine, GroupLine } from '../live/index.ts';
import type { Api } from './connection.ts';
import type { CallLine } from './state.ts';

/** Gives the terminal to another program while the work runs. */
export type Suspend = (work: () => Promise<void>) => Promise<void>;

/** A change that the operator has yet to confirm. */
export interface Action {
  /** The question, for example `Pause the campaign "Spring"?`. */
  question: string;
  /** Notice after success, if `run` gives none. */
  done: string;
  /** Resolves to a notice of its own, or to anything else. Rejects with the daemon's refusal, for example for a `view_only` key. */
  run(api: Api, suspend: Suspend): Promise<unknown>;
}

/** The change that a key proposes for a row, or the reason why it can't be made. */
export type Proposal = Action | { refused: string };

export function campaignAction(key: string, { id, rotation_id, name, status, members }: GroupLine): Proposal | null {
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
      await (rotation_id === null ? api.campaigns.activate.mutate({ id }) : api.rotations.activate.mutate({ id: rotation_id }));
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
