/** The cause for which a contact is enrolled into another campaign. */
export interface CauseWords {
  on: 'label' | 'replied' | 'opened' | 'clicked' | 'finished';
  /** Null unless the cause is the label of a reply. */
  label: string | null;
}

const CAUSES_WITHOUT_VALUE = ['replied', 'opened', 'clicked', 'finished'] as const;

export const CAUSE = 'must be replied, opened, clicked, finished, or label and the label, such as "label interested"';

/** A cause as a file and a command write it: `label interested`, `finished`. */
export const causeText = ({ on, label }: CauseWords): string => (label === null ? on : `${on} ${label}`);

/** The cause that a text names; undefined if it names none. */
export function causeOf(text: string): CauseWords | undefined {
  const [, label] = /^label +(\S.{0,49}?) *$/s.exec(text) ?? [];
  if (label !== undefined) return { on: 'label', label };
  const on = CAUSES_WITHOUT_VALUE.find((cause) => cause === text.trim());
  return on && { on, label: null };
}
