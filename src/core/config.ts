// biome-ignore-all lint/style/noProcessEnv: the only file that reads settings from the environment

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
  /** The values from flags and environment, before parsing. */
  given: RawSettings;
  /** The settings files that were read, highest precedence first. */
  settingsFiles: readonly SettingsFile[];
}

type Flags = RawSettings & { dataDir?: unknown };

/** A data directory, and the settings file outside it that was read to find it. */
export interface Place {
  dataDir: string;
  outside: SettingsFile | undefined;
}

/**
 * The platform's data directory; for root on Linux /var/lib/outreach (FHS 3.0 §5.8), which other users can enter. Determined when the
 * program starts, because root may switch to the owner of that directory later.
 */
const DEFAULT_DATA_DIR =
  process.platform === 'linux' && process.getuid?.() === 0 ? '/var/lib/outreach' : envPaths('outreach', { suffix: '' }).data;

/**
 * Finds the data directory. In order of precedence it comes from a flag, the environment, `data_dir` in the machine's settings file, or the
 * platform's default. The machine's settings file is the one that `OUTREACH_SETTINGS_FILE` names, otherwise `/etc/outreach/outreach.toml`.
 * That default is ignored if a flag or the environment names a data directory, because it is then a separate installation. Throws the
 * errors of `readSettingsFile`.
 */
export function findPlace(flags: Flags = {}, env: NodeJS.ProcessEnv = process.env): Place {
  const dataDir = flags.dataDir ?? (env.OUTREACH_DATA_DIR || undefined);
  const named = env.OUTREACH_SETTINGS_FILE || (dataDir === undefined && existsSync(SYSTEM_SETTINGS) ? SYSTEM_SETTINGS : undefined);
  const outside = named === undefined ? undefined : readSettingsFile(resolve(named), true);
  return { dataDir: resolve(String(dataDir ?? outside?.dataDir ?? DEFAULT_DATA_DIR)), outside };
}

/**
 * Reads the settings. In order of precedence a value comes from a flag, the environment, the machine's settings file, `outreach.toml` in
 * the data directory, or the default. Throws `invalid_request` naming the setting that is unknown or malformed. For an unknown one it
 * suggests the nearest known name.
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
    throw invalid('setting OUTREACH_DATABASE_DIRECT_URL requires DATABASE_URL, the URL of the pooler; set both');
  const publicUrl = baseUrl?.replace(/(?<!\/)\/+$/, '') ?? null;
  const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { ...(settings as Settings), dataDir: place.dataDir, baseUrl: publicUrl ?? local, publicUrl, given, settingsFiles };
}

/** Without this check, a misspelt setting would silently keep its default. */
function refuseUnknownVariables(env: NodeJS.ProcessEnv): void {
  const known = [...Object.values(SETTINGS).map((setting) => setting.env as string), ...OTHER_VARIABLES];
  const unknown = Object.keys(env).find((name) => name.startsWith('OUTREACH_') && !known.includes(name));
  if (unknown !== undefined)
    throw invalid(`unknown setting ${unknown} in the environment${nearest(unknown, known)}; docs/settings.md lists them all`);
}

/** The command that starts this program. In a checkout it is started through npm, which sets `npm_command` for its child processes. */
export const programName = (env: NodeJS.ProcessEnv = process.env): string =>
  env.npm_command === undefined ? 'outreach' : 'npm exec -- outreach';
