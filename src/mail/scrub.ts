/** A server's words without what it was told in confidence: some say it back, and the words go into logs and messages. */
export function scrub(text: string, { pass, accessToken }: { pass?: string; accessToken?: string }): string {
  return [pass, accessToken].reduce<string>((safe, secret) => (secret ? safe.replaceAll(secret, '***') : safe), text);
}
