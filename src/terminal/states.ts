/** The look of a state: a sign, for whoever sees no colours, and the colour's name. */
interface Look {
  sign: string;
  color: 'green' | 'yellow' | 'red' | 'gray' | 'cyan';
}

const GOOD: Look = { sign: '●', color: 'green' };
const WAITING: Look = { sign: '◌', color: 'cyan' };
const STOPPED: Look = { sign: '‖', color: 'yellow' };
const BAD: Look = { sign: '✗', color: 'red' };
const DONE: Look = { sign: '✓', color: 'cyan' };
const NEW: Look = { sign: '○', color: 'gray' };

/** The states of campaigns, accounts, enrolments, emails, deliveries and users. One of a later version has no look. */
const LOOKS: Readonly<Record<string, Look>> = {
  ...{ active: GOOD, enabled: GOOD, sent: DONE, delivered: DONE, replied: GOOD, completed: DONE, done: DONE },
  ...{ paused: STOPPED, held: STOPPED, stopped: STOPPED, unknown: STOPPED, retrying: STOPPED, skipped: STOPPED },
  ...{ disconnected: BAD, bounced: BAD, failed: BAD, refused: BAD, disabled: BAD },
  ...{ pending: WAITING, queued: WAITING, claimed: WAITING, transmitting: WAITING, invited: WAITING },
  ...{ draft: NEW, archived: NEW },
};

/** A state with its sign: `● active`. */
export function stateText(state: string): string {
  const look = LOOKS[state];
  return look === undefined ? state : `${look.sign} ${state}`;
}

/** The colour of a state; undefined for one that has none. */
export const stateColor = (state: string): Look['color'] | undefined => LOOKS[state]?.color;
