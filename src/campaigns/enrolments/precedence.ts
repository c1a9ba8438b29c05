/**
 * Kinds of messages that end enrolments, weakest first: a bounce; a stop (the contact has left, a company is left alone, the third
 * refusal); a reply; a request to be removed or a complaint. The rule is in docs/what-a-message-proves.md, "Two messages in one poll".
 */
const STRENGTHS = ['bounce', 'stop', 'reply', 'removal'] as const;
export type Strength = (typeof STRENGTHS)[number];

/**
 * The enrolments that the messages of one poll have ended, with the strength of the message: those that it was about, and those that its
 * suppression or the option `stop_company` ended with them.
 */
export class PollEnds {
  /** Start of the poll. Enrolments that ended earlier were not ended by it. */
  readonly since: Date;
  readonly #strengths = new Map<number, number>();

  constructor(since: Date) {
    this.since = since;
  }

  /** Returns the enrolments that a weaker message has ended, and which a message of this strength treats as still active. */
  weakerThan(strength: Strength): number[] {
    const limit = STRENGTHS.indexOf(strength);
    return [...this.#strengths].filter(([, other]) => other < limit).map(([id]) => id);
  }

  noteEnded(ids: readonly number[], strength: Strength): void {
    for (const id of ids) this.#strengths.set(id, STRENGTHS.indexOf(strength));
  }
}

/** The message of a poll that ends enrolments. */
export interface Precedence {
  ends: PollEnds;
  strength: Strength;
  /** Id of the reply, if the message is one. The previous state of each enrolment is then stored, so that `undoReply` can restore it. */
  replyId: number | null;
}
