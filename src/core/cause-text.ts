/** Causes for which a contact is enrolled into another campaign: the label of their reply, or something that they do. */
export const CAUSES = ['label', 'replied', 'opened', 'clicked', 'finished'] as const;
export type Cause = (typeof CAUSES)[number];

/** A cause with the label that it is about. */
export interface CauseWords {
  on: Cause;
  /** Null unless the cause is the label of a reply. */
  label: string | null;
}

export const CAUSE = 'must be replied, opened, clicked, finished, or label and the label, such as "label interested"';

/** A cause as a file and a command write it: `label interested`, `finished`. */
export const causeText = ({ on, label }: CauseWords): string => (label === null ? on : `${on} ${label}`);

/** The cause that a text names; undefined if it names none. */
export function causeOf(text: string): CauseWords | undefined {
  const [, label] = /^label +(\S.{0,49}?) *$/s.exec(text) ?? [];
  if (label !== undefined) return { on: 'label', label };
  const on = CAUSES.find((cause) => cause === text.trim() && cause !== 'label');
  return on && { on, label: null };
}
