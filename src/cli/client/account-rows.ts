import { ACCOUNT_SETTINGS } from '../../accounts/settings/index.ts';
import { addressKey } from '../../core/email-address.ts';
import { invalid, messageOf } from '../../core/errors.ts';
import { flagOf, readOption } from '../../fields/option-text.ts';
import { readRows } from '../../files/read-rows.ts';
import type { Api } from './api.ts';

/** The input of connecting an account. */
type Connection = Parameters<Api['accountSetup']['connect']['mutate']>[0];

/** A row of a file of accounts: the account to connect, or the reason why it can't be connected. */
export type AccountFileRow = { line: number; email: string } & ({ connection: Connection } | { error: string });

const ACCESS = ['email', 'provider', 'smtp_url', 'smtp_password', 'imap_url', 'imap_password', 'password', 'owner', 'tags'];

/** Settings by column. The columns are named after the flags of `account set`. */
const SETTINGS: ReadonlyMap<string, string> = new Map(
  Object.entries(ACCOUNT_SETTINGS).flatMap(([name, option]) => {
    const flag = flagOf(name, option);
    return flag === null ? [] : [[flag.replaceAll('-', '_'), name]];
  }),
);

/** The columns that a file of accounts may have. */
export const ACCOUNT_COLUMNS: readonly string[] = [...ACCESS, ...SETTINGS.keys()];

/**
 * Reads accounts from a CSV file whose first line names the columns. An empty cell counts as a missing column. Throws
 * `invalid_request` for an unknown or duplicate column, and if the column `email` is missing.
 * @param tags that every account gets besides its own
 * @param skipLines number of lines above the header; detected if it is undefined
 */
export async function readAccountRows(path: string, tags: readonly string[], skipLines?: number): Promise<AccountFileRow[]> {
  const [header, ...rows] = await readRows(path, { skipLines });
  const names = (header?.cells ?? []).map((cell) => cell.toLowerCase().replaceAll(/[ -]/g, '_'));
  const unknown = names.find((name) => name !== '' && !ACCOUNT_COLUMNS.includes(name));
  if (unknown !== undefined) throw invalid(`${path}: unknown column "${unknown}"; the columns are ${ACCOUNT_COLUMNS.join(', ')}`);
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`${path}: two columns are named ${twice}`);
  if (!names.includes('email')) throw invalid(`${path}: the first line must name the columns, among them email`);
  const seen = new Map<string, number>();
  return rows.map(({ line, cells }) => {
    const values = Object.fromEntries(names.flatMap((name, index) => (cells[index] ? [[name, cells[index]]] : [])));
    const email = values.email ?? '';
    if (email === '') return { line, email, error: 'there is no email address' };
    const first = seen.get(addressKey(email));
    if (first !== undefined) return { line, email, error: `the same address as in line ${first}` };
    seen.set(addressKey(email), line);
    try {
      return { line, email, connection: connectionOf(values, tags) };
    } catch (error) {
      return { line, email, error: messageOf(error) };
    }
  });
}

function connectionOf(values: Record<string, string>, tags: readonly string[]): Connection {
  const { email = '', provider, smtp_url, imap_url, owner, password } = values;
  const own = (values.tags ?? '').split(/[\s;,]+/).filter((tag) => tag !== '');
  const settings = [...SETTINGS].flatMap(([column, name]) => {
    const text = values[column];
    return text === undefined ? [] : [[name, settingOf(column, name as keyof typeof ACCOUNT_SETTINGS, text)]];
  });
  const all = [...new Set([...own, ...tags])];
  return {
    ...{ email, provider: provider as Connection['provider'], smtp_url, imap_url, owner },
    smtp_password: values.smtp_password ?? password,
    imap_password: values.imap_password ?? (imap_url === undefined ? undefined : password),
    settings: { ...Object.fromEntries(settings), ...(all.length === 0 ? {} : { tags: all }) },
  };
}

function settingOf(column: string, name: keyof typeof ACCOUNT_SETTINGS, text: string): unknown {
  try {
    return readOption(ACCOUNT_SETTINGS[name], text);
  } catch (error) {
    throw invalid(`${column}: ${messageOf(error)}`);
  }
}
