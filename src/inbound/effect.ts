import { addressKey } from '../core/email-address.ts';
import type { EventType } from '../core/event-types.ts';
import type { Classification } from '../mail/classify/index.ts';
import type { ReplyClass } from '../mail/replies/reply.ts';
import type { Candidate, Proof } from './evidence.ts';
import type { Writer } from './writer.ts';

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
  /** It does all that a reply does: the rule for companies, and subsequences. */
  isReply?: true;
  /** The events of its author, who may be a contact of the campaign, too, and whose own enrolments end; null where nobody answered. */
  author: readonly EventType[] | null;
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
  whenColleagueReplies: Candidate['whenColleagueReplies'];
  /** It is about an answer to a reply, which the statistics of the campaign do not count. */
  isAnswer?: boolean;
}

/** True when the contact's address was changed since the email. */
export const isFormerAddress = ({ recipient, contactEmail }: Pick<Candidate, 'recipient' | 'contactEmail'>): boolean =>
  addressKey(recipient) !== addressKey(contactEmail);

/** Causes of bounces that blame us, and not the recipient. */
const OUR_FAULT: readonly ReplyClass[] = ['block', 'message', 'limit', 'account'];

const NO_EFFECT: Effect = { enrolment: 'kept', suppression: 'nowhere', events: [], isCounted: false, pauses: null, author: null };

const ANSWERED = ['replied'] as const;
const REMOVED = ['replied', 'unsubscribed'] as const;

/** The effect of a message. Pure: the table of docs/what-a-message-proves.md, row by row. */
export function effectOf(facts: Facts): Effect {
  const effect = effectOfVerdict(facts);
  // The specification: replies and bounces are recorded only where the effective reply address is a connected account.
  const tracked = (events: readonly EventType[]) =>
    facts.isTracked ? events : events.filter((type) => type !== 'replied' && type !== 'bounced');
  const events = facts.isAnswer ? tracked(effect.events).filter((type) => type !== 'bounced' && type !== 'failed') : tracked(effect.events);
  return { ...effect, events, author: effect.author && tracked(effect.author) };
}

function effectOfVerdict(facts: Facts): Effect {
  const { verdict, writer } = facts;
  if (writer === 'us') return NO_EFFECT;
  if (writer === 'copied') return aboutCopy(facts);
  switch (verdict) {
    case 'reply':
      return writer === 'machine' ? NO_EFFECT : answer(facts);
    case 'unsubscribe_request': {
      const removal = { ...NO_EFFECT, enrolment: 'stopped', suppression: 'installation' } as const;
      // The address in List-Unsubscribe is a button, as the link is: who pushes it has not replied.
      if (facts.proof === 'token') return { ...removal, events: ['unsubscribed'] };
      return { ...removal, events: REMOVED, isReply: true, author: REMOVED };
    }
    case 'auto_reply':
      if (writer === 'colleague' || writer === 'machine' || facts.isFormerAddress) return NO_EFFECT;
      return { ...NO_EFFECT, enrolment: isContactGone(facts) ? 'left' : 'held' };
    case 'feedback_report':
      return facts.isComplaint ? { ...NO_EFFECT, enrolment: 'stopped', suppression: reachOf(facts), events: ['unsubscribed'] } : NO_EFFECT;
    case 'hard_bounce': {
      const enrolment = facts.isFormerAddress ? 'kept' : 'bounced';
      return { ...NO_EFFECT, enrolment, suppression: reachOf(facts), events: ['bounced'], isCounted: isProved(facts) };
    }
    case 'soft_bounce':
      return softBounce(facts);
    default:
      return NO_EFFECT;
  }
}

/** An answer of a person in the thread ends the sequence, whoever of the other side wrote it (docs/what-a-message-proves.md). */
function answer(facts: Facts): Effect {
  const isByColleague = facts.writer === 'colleague';
  if (isByColleague && isContactGone(facts)) return { ...NO_EFFECT, enrolment: 'left', author: ANSWERED };
  if (isByColleague && facts.whenColleagueReplies === 'continue') return { ...NO_EFFECT, author: ANSWERED };
  return { ...NO_EFFECT, enrolment: 'replied', events: ANSWERED, isReply: true, author: ANSWERED };
}

/** Who gets a copy can stop that, and says nothing about the contact. */
function aboutCopy(facts: Facts): Effect {
  const { verdict, isComplaint } = facts;
  const ends = verdict === 'unsubscribe_request' || verdict === 'hard_bounce' || (verdict === 'feedback_report' && isComplaint);
  const ended = ends ? { ...NO_EFFECT, suppression: reachOf(facts) } : NO_EFFECT;
  if (verdict === 'reply') return { ...ended, author: ANSWERED };
  return verdict === 'unsubscribe_request' && facts.proof !== 'token' ? { ...ended, author: REMOVED } : ended;
}

function softBounce(facts: Facts): Effect {
  const cause = facts.cause ?? 'temp';
  if (!OUR_FAULT.includes(cause)) {
    if (facts.isFormerAddress) return NO_EFFECT;
    return { ...NO_EFFECT, enrolment: 'bounced_third', events: ['bounced'], isCounted: isProved(facts) };
  }
  const stated = cause === 'limit' ? 'provider_limit' : cause === 'account' ? 'provider_error' : null;
  const enrolment = facts.isFormerAddress ? 'kept' : 'stopped_third';
  const unwanted = cause === 'block' && isProved(facts) ? ({ isUnwanted: true } as const) : {};
  return { ...NO_EFFECT, enrolment, events: ['failed'], pauses: isProved(facts) ? stated : null, ...unwanted };
}

/** Says that the contact no longer works there, and not at a former employer. An unknown third may speak of anybody. */
const isContactGone = ({ hasLeft, writer, isFormerAddress }: Facts): boolean => hasLeft && writer !== 'stranger' && !isFormerAddress;

/** Anybody can write a bounce that names a recipient; only who has seen the email can name or return it. */
const isProved = ({ proof }: Facts): boolean => proof !== 'recipient';

const reachOf = (facts: Facts): Effect['suppression'] => (isProved(facts) ? 'installation' : 'workspace');
