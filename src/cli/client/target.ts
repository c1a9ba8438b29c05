import { invalid } from '../../core/errors.ts';
import type { Login } from '../login.ts';

/** The flags that choose where a command works. */
export interface TargetFlags {
  'data-dir'?: string | undefined;
  key?: string | undefined;
  url?: string | undefined;
  workspace?: string | undefined;
}

/**
 * The server that a command works on and the key that it uses there; undefined for the installation of this machine. Flags come
 * first: --url and --key name a server, --data-dir and --workspace an installation. Then the environment: OUTREACH_URL, then
 * OUTREACH_DATA_DIR. Then the stored login. A stored key is sent only to its own server. Throws `invalid_request` for flags that
 * contradict each other, for a malformed URL, and when no key is known.
 * @param stored reads the stored login
 */
export function targetOf(flags: TargetFlags, env: NodeJS.ProcessEnv, stored: () => Login | undefined): Login | undefined {
  const isServer = flags.url !== undefined || flags.key !== undefined;
  if (isServer) refuseLocalFlags(flags);
  else if (flags['data-dir'] !== undefined || flags.workspace !== undefined) return undefined;
  const given = flags.url ?? (env.OUTREACH_URL || undefined);
  if (given === undefined && !isServer && env.OUTREACH_DATA_DIR) return undefined;
  const login = given !== undefined && flags.key !== undefined ? undefined : stored();
  const url = given === undefined ? login?.url : serverUrl(given, flags.url === undefined ? 'OUTREACH_URL' : '--url');
  if (url === undefined && isServer) throw invalid('--key: needs a server; add --url, or set OUTREACH_URL');
  if (url === undefined) return undefined;
  const key = flags.key ?? (env.OUTREACH_API_KEY || undefined) ?? (login?.url === url ? login.key : undefined);
  if (key === undefined) throw invalid(`no API key for ${url}; set OUTREACH_API_KEY, or run: outreach login ${url}`);
  return { url, key };
}

function refuseLocalFlags(flags: TargetFlags): void {
  const server = flags.url === undefined ? '--key' : '--url';
  if (flags['data-dir'] !== undefined)
    throw invalid(`--data-dir and ${server} can't be combined: one names this machine, the other a server`);
  if (flags.workspace !== undefined) throw invalid(`--workspace and ${server} can't be combined: a key works in its own workspace`);
}

/** The URL of a server without a trailing slash. Throws `invalid_request`, naming the setting, for anything else. */
export function serverUrl(text: string, setting: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid(`${setting}: must be an http:// or https:// URL`);
  if (url.username !== '' || url.password !== '') throw invalid(`${setting}: must not contain a user or a password`);
  return (url.origin + url.pathname).replace(/(?<!\/)\/+$/, '');
}
