/** The messages of one campaign of a rotation group, with the address of its account. */
export interface MemberMessages<Message> {
  email: string;
  messages: readonly Message[];
}

/**
 * Merges the messages of all campaigns of a group in their order and drops duplicates. A message that does not apply to all of them begins
 * with the addresses of those it applies to, unless it names them itself.
 * @param textOf returns the text of a message; messages with the same text are duplicates
 * @returns each message, as the first campaign has it, with the text to show
 */
export function mergeMessages<Message>(
  members: readonly MemberMessages<Message>[],
  textOf: (message: Message) => string,
): { message: Message; text: string }[] {
  const merged = new Map<string, { message: Message; emails: string[] }>();
  for (const { email, messages } of members) {
    for (const message of messages) {
      const known = merged.get(textOf(message));
      if (known === undefined) merged.set(textOf(message), { message, emails: [email] });
      else known.emails.push(email);
    }
  }
  return [...merged].map(([text, { message, emails }]) => {
    const isPlain = emails.length === members.length || emails.every((email) => text.includes(email));
    return { message, text: isPlain ? text : `${emails.join(', ')}: ${text}` };
  });
}
