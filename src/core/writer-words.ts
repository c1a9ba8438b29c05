/** The kinds of people who may have written a reply, in words. */
export const WRITER_WORDS = {
  contact: 'the contact',
  colleague: 'a colleague of the contact',
  stranger: 'somebody we do not know',
  copied: 'somebody who got a copy',
} as const;
export type Writer = keyof typeof WRITER_WORDS;
