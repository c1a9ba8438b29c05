/** The look of a state: a sign, for readers who do not see colours, and a colour. */
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

/** The looks of the states of campaigns, accounts, enrolments, emails, deliveries and users. A state of a later version has none. */
const LOOKS: Readonly<Record<string, Look>> = {
  ...{ active: GOOD, enabled: GOOD, sent: DONE, delivered: DONE, replied: GOOD, completed: DONE, done: DONE },
  ...{ paused: STOPPED, held: STOPPED, stopped: STOPPED, unknown: STOPPED, retrying: STOPPED, skipped: STOPPED },
  ...{ disconnected: BAD, bounced: BAD, failed: BAD, refused: BAD, disabled: BAD },
  ...{ pending: WAITING, queued: WAITING, claimed: WAITING, transmitting: WAITING, invited: WAITING },
  ...{ draft: NEW, archived: NEW },
};

/** Returns a state with its sign: `● active`. */
export function stateText(state: string): string {
  const look = LOOKS[state];
  return look === undefined ? state : `${look.sign} ${state}`;
}

/** Returns the colour of a state; undefined if it has none. */
export const stateColor = (state: string): Look['color'] | undefined => LOOKS[state]?.color;
