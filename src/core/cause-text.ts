/** Causes that enrol a contact in another campaign: the label of their reply, or an event such as a click. */
export const CAUSES = ['label', 'replied', 'opened', 'clicked', 'finished'] as const;
export type Cause = (typeof CAUSES)[number];

/** A cause, with its label if it has one. */
export interface CauseWords {
  on: Cause;
  /** Null unless the cause is the label of a reply. */
  label: string | null;
}

export const CAUSE = 'must be replied, opened, clicked, finished, or label and the label, such as "label interested"';

/** Formats a cause as campaign files and commands write it: `label interested`, `finished`. */
export const causeText = ({ on, label }: CauseWords): string => (label === null ? on : `${on} ${label}`);

/** Parses a cause. Returns undefined if the text names none. */
export function causeOf(text: string): CauseWords | undefined {
  const [, label] = /^label +(\S.{0,49}?) *$/s.exec(text) ?? [];
  if (label !== undefined) return { on: 'label', label };
  const on = CAUSES.find((cause) => cause === text.trim() && cause !== 'label');
  return on && { on, label: null };
}
