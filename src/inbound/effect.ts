import { addressKey } from '../core/email-address.ts';
import type { EventType } from '../core/event-types.ts';
import type { Classification } from '../mail/classify/index.ts';
import type { ReplyClass } from '../mail/replies/reply.ts';
import type { Candidate, Proof } from './evidence.ts';
import type { Writer } from './writer.ts';

/** The changes caused by a message, as listed in docs/what-a-message-proves.md. */
export interface Effect {
  /**
   * `left`: stopped with the reason `left_company`. `held`: until the absence is over. `bounced_third`, `stopped_third`: bounced or stopped
   * once three emails in a row have been returned.
   */
  enrolment: 'kept' | 'replied' | 'stopped' | 'left' | 'held' | 'bounced' | 'bounced_third' | 'stopped_third';
  /** Scope in which the emailed address is suppressed; for a message about a copy, the address of the copy. */
  suppression: 'nowhere' | 'workspace' | 'installation';
  /** Events to record, which feed the statistics. With `bounced_third`, `bounced` is recorded only at the third return. */
  events: readonly EventType[];
  /** True if it counts in the bounce rate of the account that sent the email. */
  isCounted: boolean;
  /** The reason for pausing the account that sent the email, if its provider reported a fault or limit. */
  pauses: 'provider_limit' | 'provider_error' | null;
  /** True if it has the further effects of a reply: the rule for companies, and subsequences. */
  isReply?: true;
  /** Events of its author, who may be a contact of the campaign too and whose own enrolments then end; null if no person wrote it. */
  author: readonly EventType[] | null;
  /** True if the email was returned as unwanted, which counts as a refusal of the account that sent it. */
  isUnwanted?: true;
}

/** The facts that determine the effect of a message. */
export interface Facts extends Pick<Classification, 'verdict' | 'cause' | 'isComplaint' | 'hasLeft'> {
  proof: Proof;
  writer: Writer;
  /** True if the contact's address has changed since the email. */
  isFormerAddress: boolean;
  /** True if replies and bounces of the campaign are recorded as events. */
  isTracked: boolean;
  whenColleagueReplies: Candidate['whenColleagueReplies'];
  /** True if it is about an answer to a reply, which the campaign's statistics do not count. */
  isAnswer?: boolean;
}

/** Returns true if the contact's address has changed since the email. */
export const isFormerAddress = ({ recipient, contactEmail }: Pick<Candidate, 'recipient' | 'contactEmail'>): boolean =>
  addressKey(recipient) !== addressKey(contactEmail);

/** Causes of bounces that are our fault, not the recipient's. */
const OUR_FAULT: readonly ReplyClass[] = ['block', 'message', 'limit', 'account'];

const NO_EFFECT: Effect = { enrolment: 'kept', suppression: 'nowhere', events: [], isCounted: false, pauses: null, author: null };

const ANSWERED = ['replied'] as const;
const REMOVED = ['replied', 'unsubscribed'] as const;

/** Returns the effect of a message. Implements the table of docs/what-a-message-proves.md row by row, without I/O. */
export function effectOf(facts: Facts): Effect {
  const effect = effectOfVerdict(facts);
  // Specification: replies and bounces are recorded only if the effective reply address is a connected account.
  const tracked = (events: readonly EventType[]) =>
    facts.isTracked ? events : events.filter((type) => type !== 'replied' && type !== 'bounced');
  const events = facts.isAnswer ? tracked(effect.events).filter((type) => type !== 'bounced' && type !== 'failed') : tracked(effect.events);
  return { ...effect, events, author: effect.author && tracked(effect.author) };
}

function effectOfVerdict(facts: Facts): Effect {
  const { verdict, writer } = facts;
  if (writer === 'us') return NO_EFFECT;
  if (writer === 'copied') return effectOfCopy(facts);
  switch (verdict) {
    case 'reply':
      return writer === 'machine' ? NO_EFFECT : effectOfReply(facts);
    case 'unsubscribe_request': {
      const removal = { ...NO_EFFECT, enrolment: 'stopped', suppression: 'installation' } as const;
      // Like the link, the address in List-Unsubscribe is a button; a recipient who clicks it has not replied.
      if (facts.proof === 'token') return { ...removal, events: ['unsubscribed'] };
      return { ...removal, events: REMOVED, isReply: true, author: REMOVED };
    }
    case 'auto_reply':
      if (writer === 'colleague' || writer === 'machine' || facts.isFormerAddress) return NO_EFFECT;
      return { ...NO_EFFECT, enrolment: isContactGone(facts) ? 'left' : 'held' };
    case 'feedback_report':
      return facts.isComplaint
        ? { ...NO_EFFECT, enrolment: 'stopped', suppression: suppressionScope(facts), events: ['unsubscribed'] }
        : NO_EFFECT;
    case 'hard_bounce': {
      const enrolment = facts.isFormerAddress ? 'kept' : 'bounced';
      return { ...NO_EFFECT, enrolment, suppression: suppressionScope(facts), events: ['bounced'], isCounted: isProved(facts) };
    }
    case 'soft_bounce':
      return effectOfSoftBounce(facts);
    default:
      return NO_EFFECT;
  }
}

/** Returns the effect of a person's reply, which ends the sequence whoever on the other side wrote it (docs/what-a-message-proves.md). */
function effectOfReply(facts: Facts): Effect {
  const isByColleague = facts.writer === 'colleague';
  if (isByColleague && isContactGone(facts)) return { ...NO_EFFECT, enrolment: 'left', author: ANSWERED };
  if (isByColleague && facts.whenColleagueReplies === 'continue') return { ...NO_EFFECT, author: ANSWERED };
  return { ...NO_EFFECT, enrolment: 'replied', events: ANSWERED, isReply: true, author: ANSWERED };
}

/** Returns the effect of a message about a copy: its recipient can stop further copies, but says nothing about the contact. */
function effectOfCopy(facts: Facts): Effect {
  const { verdict, isComplaint } = facts;
  const ends = verdict === 'unsubscribe_request' || verdict === 'hard_bounce' || (verdict === 'feedback_report' && isComplaint);
  const ended = ends ? { ...NO_EFFECT, suppression: suppressionScope(facts) } : NO_EFFECT;
  if (verdict === 'reply') return { ...ended, author: ANSWERED };
  return verdict === 'unsubscribe_request' && facts.proof !== 'token' ? { ...ended, author: REMOVED } : ended;
}

function effectOfSoftBounce(facts: Facts): Effect {
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

/** Returns true if the contact has left the company that was emailed, not a former employer. An unknown third party may mean anybody. */
const isContactGone = ({ hasLeft, writer, isFormerAddress }: Facts): boolean => hasLeft && writer !== 'stranger' && !isFormerAddress;

/** Returns true if the sender must have seen the email. Anybody can forge a bounce that names a recipient. */
const isProved = ({ proof }: Facts): boolean => proof !== 'recipient';

const suppressionScope = (facts: Facts): Effect['suppression'] => (isProved(facts) ? 'installation' : 'workspace');
