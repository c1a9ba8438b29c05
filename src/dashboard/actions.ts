import type { AccountLine, CampaignLine } from '../live/index.ts';
import type { Api } from './connection.ts';
import type { CallLine } from './state.ts';

/** A change that an operator asked for and has yet to confirm. */
export interface Action {
  /** The question, for example `Pause the campaign "Spring"?`. */
  question: string;
  /** What is said once it is done. */
  done: string;
  /** Rejects with the daemon's refusal, for example for a `view_only` key. */
  run(api: Api): Promise<unknown>;
}

/** What the key would do to the row, or why it does nothing. */
export type Asked = Action | { refused: string };

export function campaignAction(key: string, { id, name, status }: CampaignLine): Asked | null {
  if (key === 'p') {
    if (status !== 'active') return { refused: `"${name}" is ${status}; only an active campaign can be paused here` };
    const run = (api: Api) => api.campaigns.pause.mutate({ id });
    return { question: `Pause the campaign "${name}"? It sends nothing more until it is resumed.`, done: `"${name}" is paused`, run };
  }
  if (key === 'r') {
    if (status === 'active') return { refused: `"${name}" is active already` };
    const run = (api: Api) => api.campaigns.activate.mutate({ id });
    return { question: `${status === 'draft' ? 'Start' : 'Resume'} the campaign "${name}"?`, done: `"${name}" is active`, run };
  }
  return null;
}

export function accountAction(key: string, { id, email, status }: AccountLine): Asked | null {
  if (key === 'p') {
    if (status !== 'active') return { refused: `${email} is ${status} already` };
    const run = (api: Api) => api.accounts.pause.mutate({ id });
    return { question: `Pause ${email} and its active campaigns?`, done: `${email} is paused`, run };
  }
  if (key === 'r') {
    if (status === 'active') return { refused: `${email} is active already` };
    const run = (api: Api) => api.accounts.resume.mutate({ id });
    return { question: `Resume ${email} and the campaigns that its pause stopped?`, done: `${email} is active`, run };
  }
  return null;
}

export function callAction(key: string, call: CallLine): Asked | null {
  if (key !== 'd' && key !== 's') return null;
  const outcome = key === 'd' ? ('done' as const) : ('skipped' as const);
  const run = (api: Api) => api.live.closeCall.mutate({ id: call.id, outcome, note: null });
  return { question: `Mark the call to ${call.name} (${call.email}) as ${outcome}?`, done: `the call to ${call.name} is ${outcome}`, run };
}
