/** Whom the author of a reply may be taken for, in words. */
export const WRITER_WORDS = {
  contact: 'the contact',
  colleague: 'a colleague of the contact',
  stranger: 'somebody we do not know',
  copied: 'somebody who got a copy',
} as const;
export type Writer = keyof typeof WRITER_WORDS;
