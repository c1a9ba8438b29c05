import { invalid } from '../../core/errors.ts';
import { serverName } from '../../mail/mail-url.ts';
import { seedAt } from '../../mail/seed-url.ts';
import { askSecret } from '../password.ts';
import { readInput } from '../read-input.ts';

/**
 * Returns the IMAP logins of the seeds of a placement test. Their passwords are the lines of `passwordFile` (`-` is stdin) in the order of
 * the URLs; without a file it prompts for them. Throws `invalid_request` for a URL that `seedAt` refuses, for a missing password, and if
 * there is neither a file nor a terminal.
 */
export async function seedsOf(
  urls: readonly string[],
  passwordFile: string | undefined,
): Promise<{ imap_url: string; imap_password: string }[]> {
  const servers = urls.map((url) => seedAt(url, '--seed').server);
  const lines = passwordFile === undefined ? undefined : (await readInput(passwordFile)).split(/\r?\n/);
  if (lines === undefined && !process.stdin.isTTY)
    throw invalid('--seed: no password given; use --seed-password-file, or run this at a terminal to be prompted');
  const seeds: { imap_url: string; imap_password: string }[] = [];
  for (const [index, imap_url] of urls.entries()) {
    const server = servers[index];
    const imap_password =
      lines === undefined ? await askSecret(`Password for ${server?.user} at ${server && serverName(server)}`) : lines[index];
    if (!imap_password)
      throw invalid(`--seed: no password for ${server?.user}${lines === undefined ? '' : '; the file must have a line for each seed'}`);
    seeds.push({ imap_url, imap_password });
  }
  return seeds;
}
