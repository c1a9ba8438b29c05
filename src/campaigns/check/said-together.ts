/** One campaign of a rotation group with its sentences, and the address of its account. */
export interface Speaker<Sentence> {
  email: string;
  sentences: readonly Sentence[];
}

/**
 * The sentences of all campaigns of a group, each once, in their order. One that not all say begins with the addresses of those
 * that do, unless it names them itself.
 * @param textOf the text of a sentence, by which it is the same as another
 * @returns each sentence, as the first said it, with the text to show
 */
export function saidTogether<Sentence>(
  speakers: readonly Speaker<Sentence>[],
  textOf: (sentence: Sentence) => string,
): { sentence: Sentence; text: string }[] {
  const said = new Map<string, { sentence: Sentence; emails: string[] }>();
  for (const { email, sentences } of speakers) {
    for (const sentence of sentences) {
      const known = said.get(textOf(sentence));
      if (known === undefined) said.set(textOf(sentence), { sentence, emails: [email] });
      else known.emails.push(email);
    }
  }
  return [...said].map(([text, { sentence, emails }]) => {
    const isPlain = emails.length === speakers.length || emails.every((email) => text.includes(email));
    return { sentence, text: isPlain ? text : `${emails.join(', ')}: ${text}` };
  });
}
