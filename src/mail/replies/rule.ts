import type { PhraseTable } from '../phrases/phrase-table.ts';
import type { Reply, ReplyClass } from './reply.ts';

/** A rule for known replies with one meaning. A reply must match the phases and codes, and one of the phrases or statuses. */
export interface Rule {
  class: ReplyClass;
  /** Provider or subject, for display. */
  name: string;
  phrases?: PhraseTable;
  /** RFC 3463; `5.7.*` for every detail of a subject. */
  statuses?: readonly string[];
  phases?: readonly Reply['phase'][];
  /** RFC 5321 reply codes; `4xx` and `5xx` for all of a class. */
  codes?: readonly (number | '4xx' | '5xx')[];
}

/** Phases in which a reply may be about the recipient or the message. */
export const TRANSACTION: readonly Reply['phase'][] = ['rcpt', 'data', 'dsn'];
