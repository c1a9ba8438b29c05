import type { EventType } from '../core/event-types.ts';
import type { Classification } from '../mail/classify/index.ts';
import type { ReplyClass } from '../mail/replies/reply.ts';
import type { Candidate, Proof, Writer } from './evidence.ts';

/** The changes that a message makes, as docs/what-a-message-proves.md lists them. */
export interface Effect {
  /**
   * `left`: stopped with the reason `left_company`. `held`: until the absence is over. `bounced_third`, `stopped_third`: the third email in a row that comes back ends it so.
   */
  enrolment: 'kept' | 'replied' | 'stopped' | 'left' | 'held' | 'bounced' | 'bounced_third' | 'stopped_third';
  /** Where the emailed address is never written to again; of a message about a copy, the address of that. */
  suppression: 'nowhere' | 'workspace' | 'installation';
  /** Events, and with them the statistics. A bounce that only the third in a row completes is logged then. */
  events: readonly EventType[];
  /** The bounce guard counts it against the account that sent the email. */
  isCounted: boolean;
  /** The account that sent the email is paused, for a fault or limit that its provider states. */
  pauses: 'provider_limit' | 'provider_error' | null;
  /** It was returned as unwanted, and counts as a refusal of the account that sent it. */
  isUnwanted?: true;
}

/** The facts that decide on the effect of a message. */
export interface Facts extends Pick<Classification, 'verdict' | 'cause' | 'isComplaint' | 'hasLeft'> {
  proof: Proof;
  writer: Writer;
  /** The contact's address was changed since the email. */
  isFormerAddress: boolean;
  /** Replies and bounces of the campaign are events. */
  isTracked: boolean;
  /** It is about an answer to a reply, which the statistics of the campaign do not count. */
  isAnswer?: boolean;
}

/** True when the contact's address was changed since the email. */
export const isFormerAddress = ({ recipient, contactEmail }: Pick<Candidate, 'recipient' | 'contactEmail'>): boolean =>
  recipient.toLowerCase() !== contactEmail.toLowerCase();

/** Causes of bounces that blame us, and not the recipient. */
const OUR_FAULT: readonly ReplyClass[] = ['block', 'message', 'limit', 'account'];

const NOTHING: Effect = { enrolment: 'kept', suppression: 'nowhere', events: [], isCounted: false, pauses: null };

/** The effect of a message. Pure: the table of docs/what-a-message-proves.md, row by row. */
export function effectOf(facts: Facts): Effect {
  const effect = untold(facts);
  // The specification: replies and bounces are recorded only where the effective reply address is a connected account.
  const tracked = facts.isTracked ? effect.events : effect.events.filter((type) => type !== 'replied' && type !== 'bounced');
  const events = facts.isAnswer ? tracked.filter((type) => type !== 'bounced' && type !== 'failed') : tracked;
  return { ...effect, events };
}

function untold(facts: Facts): Effect {
  const { verdict, writer } = facts;
  if (writer === 'us') return NOTHING;
  if (writer === 'copied') return aboutCopy(facts);
  const speaksForContact = writer === 'contact' || writer === 'stranger';
  switch (verdict) {
    case 'reply':
      if (speaksForContact) return { ...NOTHING, enrolment: 'replied', events: ['replied'] };
      return isContactGone(facts) ? { ...NOTHING, enrolment: 'left' } : NOTHING;
    case 'unsubscribe_request': {
      // The address in List-Unsubscribe is a button, as the link is: who pushes it has not replied.
      const isReply = speaksForContact && facts.proof !== 'token';
      const events: EventType[] = isReply ? ['replied', 'unsubscribed'] : ['unsubscribed'];
      return { ...NOTHING, enrolment: 'stopped', suppression: 'installation', events };
    }
    case 'auto_reply':
      if (!speaksForContact || facts.isFormerAddress) return NOTHING;
      return { ...NOTHING, enrolment: isContactGone(facts) ? 'left' : 'held' };
    case 'feedback_report':
      return facts.isComplaint ? { ...NOTHING, enrolment: 'stopped', suppression: reachOf(facts), events: ['unsubscribed'] } : NOTHING;
    case 'hard_bounce': {
      const enrolment = facts.isFormerAddress ? 'kept' : 'bounced';
      return { ...NOTHING, enrolment, suppression: reachOf(facts), events: ['bounced'], isCounted: isProved(facts) };
    }
    case 'soft_bounce':
      return softBounce(facts);
    default:
      return NOTHING;
  }
}

/** Who gets a copy can stop that, and says nothing about the contact. */
function aboutCopy(facts: Facts): Effect {
  const { verdict, isComplaint } = facts;
  const ends = verdict === 'unsubscribe_request' || verdict === 'hard_bounce' || (verdict === 'feedback_report' && isComplaint);
  return ends ? { ...NOTHING, suppression: reachOf(facts) } : NOTHING;
}

function softBounce(facts: Facts): Effect {
  const cause = facts.cause ?? 'temp';
  if (!OUR_FAULT.includes(cause)) {
    if (facts.isFormerAddress) return NOTHING;
    return { ...NOTHING, enrolment: 'bounced_third', events: ['bounced'], isCounted: isProved(facts) };
  }
  const stated = cause === 'limit' ? 'provider_limit' : cause === 'account' ? 'provider_error' : null;
  const enrolment = facts.isFormerAddress ? 'kept' : 'stopped_third';
  const unwanted = cause === 'block' && isProved(facts) ? ({ isUnwanted: true } as const) : {};
  return { ...NOTHING, enrolment, events: ['failed'], pauses: isProved(facts) ? stated : null, ...unwanted };
}

/** Says that the contact no longer works there, and not at a former employer. An unknown third may speak of anybody. */
const isContactGone = ({ hasLeft, writer, isFormerAddress }: Facts): boolean => hasLeft && writer !== 'stranger' && !isFormerAddress;

/** Anybody can write a bounce that names a recipient; only who has seen the email can name or return it. */
const isProved = ({ proof }: Facts): boolean => proof !== 'recipient';

const reachOf = (facts: Facts): Effect['suppression'] => (isProved(facts) ? 'installation' : 'workspace');
