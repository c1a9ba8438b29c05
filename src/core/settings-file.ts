import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { parse } from 'smol-toml';
import { conflict, invalid, messageOf } from './errors.ts';
import { nearest } from './nearest-name.ts';
import { type RawSettings, SETTINGS, type SettingName, settingKey } from './settings.ts';

/** The settings file of the machine, which packages install. It may say where the data directory is. */
export const SYSTEM_SETTINGS = '/etc/outreach/outreach.toml';

export const settingsPath = (dataDir: string): string => join(dataDir, 'outreach.toml');

export interface SettingsFile {
  path: string;
  /** `data_dir`, which only a file outside the data directory may have. */
  dataDir?: string;
  settings: RawSettings;
}

/** Settings that are secrets, and URLs that may hold one: `//USER:PASSWORD@`, or the parameter `password` of PostgreSQL. */
const SECRETS: readonly SettingName[] = ['secretKey', 'googleClientSecret', 'microsoftClientSecret'];
const URLS: readonly SettingName[] = ['databaseUrl', 'databaseDirectUrl', 'mongodbUrl', 'systemSmtpUrl'];
const PASSWORD_IN_URL = /\/\/[^@/]*:[^@]+@|[?&]password=/;

/** The name in outreach.toml of a setting that holds a secret; undefined if none does. */
export function secretAmong(settings: RawSettings): string | undefined {
  const name =
    SECRETS.find((secret) => settings[secret] !== undefined) ?? URLS.find((url) => PASSWORD_IN_URL.test(String(settings[url] ?? '')));
  return name && settingKey(name);
}

/** Reads the settings file of a data directory; undefined if there is none. Throws as `readSettingsFile` does. */
export const readOwnSettings = (dataDir: string): SettingsFile | undefined =>
  existsSync(settingsPath(dataDir)) ? readSettingsFile(settingsPath(dataDir), false) : undefined;

/**
 * Reads a settings file. Throws `invalid_request` if it can't be read or names an unknown setting, and `conflict` if it holds a
 * secret that every user of the machine can read.
 * @param allowsDataDir whether the file may have `data_dir`
 */
export function readSettingsFile(path: string, allowsDataDir: boolean): SettingsFile {
  const settings: RawSettings = {};
  const entries = Object.entries(entriesOf(path)).flatMap(inTable);
  const dataDir = allowsDataDir ? entries.find(([key]) => key === 'data_dir')?.[1] : undefined;
  const names = new Map(Object.keys(SETTINGS).map((name) => [settingKey(name), name as SettingName]));
  for (const [key, value] of entries) {
    const name = names.get(key);
    if (name !== undefined) settings[name] = value;
    else if (!allowsDataDir || key !== 'data_dir')
      throw invalid(`${path}: unknown setting "${key}"${nearest(key, names.keys())}; known settings: ${[...names.keys()].join(', ')}`);
  }
  refuseExposedSecret(path, settings);
  if (dataDir === undefined) return { path, settings };
  if (typeof dataDir !== 'string' || !isAbsolute(dataDir)) throw invalid(`${path}: data_dir: must be an absolute path`);
  return { path, dataDir, settings };
}

function entriesOf(path: string): Record<string, unknown> {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const isDenied = (error as NodeJS.ErrnoException).code === 'EACCES';
    const advice = isDenied ? `; run the command as the user of the service: sudo -u outreach outreach …` : '';
    throw invalid(`${path} can't be read: ${messageOf(error)}${advice}`);
  }
}

/** Throws `conflict` if users other than the owner and the group can read a secret in the file. */
function refuseExposedSecret(path: string, settings: RawSettings): void {
  const secret = secretAmong(settings);
  if (secret === undefined || process.platform === 'win32') return;
  const isExposed = (statSync(path).mode & 0o004) !== 0 && (statSync(dirname(path)).mode & 0o001) !== 0;
  if (isExposed) throw conflict(`${path} holds a secret (${secret}) and can be read by other users; run: chmod 600 ${path}`);
}

/** Flattens a table: `webhooks.allow_private`, or the same under `[webhooks]`, becomes `webhooks_allow_private`. */
const inTable = ([key, value]: [string, unknown]): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? Object.entries(value).map(([inner, innerValue]) => [`${key}_${inner}`, innerValue])
    : [[key, value]];
