/** Removes the password and the access token from a server's reply: some servers repeat them, and replies go into logs. */
export function scrub(text: string, { pass, accessToken }: { pass?: string; accessToken?: string }): string {
  return [pass, accessToken].reduce<string>((safe, secret) => (secret ? safe.replaceAll(secret, '***') : safe), text);
}
