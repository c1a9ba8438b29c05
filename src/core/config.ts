// biome-ignore-all lint/style/noProcessEnv: settings are read from the environment here alone

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import envPaths from 'env-paths';
import { invalid } from './errors.ts';
import { nearest } from './nearest-name.ts';
import { OTHER_VARIABLES, type RawSettings, SETTINGS, type SettingName, type Settings, settingKey } from './settings.ts';
import { readOwnSettings, readSettingsFile, type SettingsFile, SYSTEM_SETTINGS } from './settings-file.ts';

export interface Config extends Settings {
  /** Absolute path of the directory with the secret, `outreach.toml` and the embedded PostgreSQL. */
  dataDir: string;
  /** The base URL for links, without a trailing slash. */
  baseUrl: string;
  /** The base URL if it was set, otherwise null: recipients can't reach an address on this machine. */
  publicUrl: string | null;
  /** The settings that flags and environment gave, as they were written. */
  given: RawSettings;
  /** The settings files that were read, the one that wins first. */
  settingsFiles: readonly SettingsFile[];
}

type Flags = RawSettings & { dataDir?: unknown };

/** A data directory, and the settings file outside it that was read to find it. */
export interface Place {
  dataDir: string;
  outside: SettingsFile | undefined;
}

/**
 * The platform's data directory; for root on Linux /var/lib/outreach (FHS 3.0 §5.8), which other users can enter. Found when the
 * program starts: root may act as the owner of that directory later.
 */
const DEFAULT_DATA_DIR =
  process.platform === 'linux' && process.getuid?.() === 0 ? '/var/lib/outreach' : envPaths('outreach', { suffix: '' }).data;

/**
 * Finds the data directory: a flag wins over the environment, that over `data_dir` in the settings file of the machine, and that over
 * the platform's default. The file is the one that `OUTREACH_SETTINGS_FILE` names; otherwise `/etc/outreach/outreach.toml`, unless flag
 * or environment name a data directory, which is then an installation of its own. Throws as `readSettingsFile` does.
 */
export function findPlace(flags: Flags = {}, env: NodeJS.ProcessEnv = process.env): Place {
  const dataDir = flags.dataDir ?? (env.OUTREACH_DATA_DIR || undefined);
  const named = env.OUTREACH_SETTINGS_FILE || (dataDir === undefined && existsSync(SYSTEM_SETTINGS) ? SYSTEM_SETTINGS : undefined);
  const outside = named === undefined ? undefined : readSettingsFile(resolve(named), true);
  return { dataDir: resolve(String(dataDir ?? outside?.dataDir ?? DEFAULT_DATA_DIR)), outside };
}

/**
 * Reads the settings. For each, a flag wins over the environment, that over the settings file of the machine, that over `outreach.toml`
 * in the data directory, and that over the default. Throws `invalid_request` naming a setting that is unknown or malformed, and the
 * nearest one that is known.
 */
export function loadConfig(flags: Flags = {}, env: NodeJS.ProcessEnv = process.env, place = findPlace(flags, env)): Config {
  refuseUnknownVariables(env);
  const settingsFiles = [place.outside, readOwnSettings(place.dataDir)].filter((file) => file !== undefined);
  const settings: Record<string, unknown> = {};
  const given: RawSettings = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, (typeof SETTINGS)[SettingName]][]) {
    const { env: variable, rule } = setting;
    const inEnvironment = env[variable] === '' ? undefined : env[variable];
    const file = settingsFiles.find((candidate) => candidate.settings[name] !== undefined);
    given[name] = flags[name] ?? inEnvironment;
    const value = given[name] ?? file?.settings[name];
    if (value === undefined) {
      settings[name] = 'default' in setting ? setting.default : undefined;
      continue;
    }
    const parsed = rule().safeParse(value);
    if (!parsed.success) {
      const where =
        flags[name] !== undefined ? `--${name}` : inEnvironment !== undefined ? variable : `${settingKey(name)} in ${file?.path}`;
      throw invalid(`setting ${where}: ${parsed.error.issues[0]?.message ?? 'is malformed'}`);
    }
    settings[name] = parsed.data;
  }
  const { host, port, baseUrl, databaseUrl, databaseDirectUrl } = settings as Settings;
  if (databaseUrl === undefined && databaseDirectUrl !== undefined)
    throw invalid('setting OUTREACH_DATABASE_DIRECT_URL goes with DATABASE_URL, the URL of the pooler; set both');
  const publicUrl = baseUrl?.replace(/(?<!\/)\/+$/, '') ?? null;
  const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { ...(settings as Settings), dataDir: place.dataDir, baseUrl: publicUrl ?? local, publicUrl, given, settingsFiles };
}

/** A misspelt setting would leave its default in force without a word. */
function refuseUnknownVariables(env: NodeJS.ProcessEnv): void {
  const known = [...Object.values(SETTINGS).map((setting) => setting.env as string), ...OTHER_VARIABLES];
  const unknown = Object.keys(env).find((name) => name.startsWith('OUTREACH_') && !known.includes(name));
  if (unknown !== undefined)
    throw invalid(`unknown setting ${unknown} in the environment${nearest(unknown, known)}; docs/settings.md lists them all`);
}

/** The words that start this program: npm, which finds it in a checkout, tells its children so. */
export const programName = (env: NodeJS.ProcessEnv = process.env): string =>
  env.npm_command === undefined ? 'outreach' : 'npm exec -- outreach';
