/** Removes the password and the access token from a server's reply: some servers repeat them, and replies are logged. */
export function scrub(text: string, { pass, accessToken }: { pass?: string; accessToken?: string }): string {
  return [pass, accessToken].reduce<string>((safe, secret) => (secret ? safe.replaceAll(secret, '***') : safe), text);
}

/** Removes the password and the access token from every field of an imapflow error, because any of them may quote the server. */
export function scrubbed(error: unknown, login: { pass?: string; accessToken?: string }): unknown {
  if (!(error instanceof Error)) return error;
  for (const [name, value] of Object.entries({ ...error, message: error.message }))
    if (typeof value === 'string') Object.assign(error, { [name]: scrub(value, login) });
  return error;
}
