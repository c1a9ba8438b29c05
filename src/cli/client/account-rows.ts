import { invalid, messageOf } from '../../core/errors.ts';
import { readRows } from '../../files/read-rows.ts';
import type { Api } from './api.ts';

/** The input of connecting an account. */
type Connection = Parameters<Api['accountSetup']['connect']['mutate']>[0];

/** A row of a file of accounts: what is to be connected, or why it can't be. */
export type AccountFileRow = { line: number; email: string } & ({ connection: Connection } | { error: string });

/** The settings that a column may have, by its name. */
const NUMBERS: Readonly<Record<string, string>> = {
  batch_interval: 'send_batch_interval_minutes',
  batch_max: 'send_batch_max',
  batch_min: 'send_batch_min',
  daily_limit: 'daily_send_limit',
  minute_limit: 'minute_send_limit',
  ramp_ceiling: 'ramp_ceiling',
  ramp_increment: 'ramp_increment',
  ramp_start: 'ramp_start',
  signature: 'signature_template_id',
  window_end: 'send_window_end_hour',
  window_start: 'send_window_start_hour',
};
const TEXTS = ['from_name', 'timezone', 'tracking_host'];
const ACCESS = ['email', 'provider', 'smtp_url', 'smtp_password', 'imap_url', 'imap_password', 'password', 'owner', 'tags'];
const COLUMNS = [...ACCESS, ...TEXTS, ...Object.keys(NUMBERS)];

/**
 * Reads accounts from a CSV file whose first line names the columns. An empty cell is as if its column were missing. Throws
 * `invalid_request` for a column that is unknown, twice there or missing.
 * @param tags that every account gets besides its own
 */
export async function readAccountRows(path: string, tags: readonly string[]): Promise<AccountFileRow[]> {
  const [header, ...rows] = await readRows(path);
  const names = (header?.cells ?? []).map((cell) => cell.toLowerCase().replaceAll(/[ -]/g, '_'));
  const unknown = names.find((name) => name !== '' && !COLUMNS.includes(name));
  if (unknown !== undefined) throw invalid(`${path}: unknown column "${unknown}"; the columns are ${COLUMNS.join(', ')}`);
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`${path}: two columns are named ${twice}`);
  if (!names.includes('email')) throw invalid(`${path}: the first line must name the columns, among them email`);
  const seen = new Map<string, number>();
  return rows.map(({ line, cells }) => {
    const values = Object.fromEntries(names.flatMap((name, index) => (cells[index] ? [[name, cells[index]]] : [])));
    const email = values.email ?? '';
    const first = seen.get(email.toLowerCase());
    if (first !== undefined) return { line, email, error: `the same address as in line ${first}` };
    seen.set(email.toLowerCase(), line);
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
  const numbers = Object.entries(NUMBERS).flatMap(([name, setting]) => {
    const text = values[name];
    if (text !== undefined && !/^\d{1,9}$/.test(text)) throw invalid(`${name}: must be a whole number, not "${text}"`);
    return text === undefined ? [] : [[setting, Number(text)] as const];
  });
  const texts = TEXTS.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  const all = [...new Set([...own, ...tags])];
  return {
    ...{ email, provider: provider as Connection['provider'], smtp_url, imap_url, owner },
    smtp_password: values.smtp_password ?? password,
    imap_password: values.imap_password ?? (imap_url === undefined ? undefined : password),
    settings: { ...Object.fromEntries([...numbers, ...texts]), ...(all.length === 0 ? {} : { tags: all }) },
  };
}
