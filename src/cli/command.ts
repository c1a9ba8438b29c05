import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Flags } from '@oclif/core';
import { type Caller, findUserByEmail, findWorkspace, operator } from '../access/index.ts';
import type { App } from '../app.ts';
import { type Config, loadConfig } from '../core/config.ts';
import { conflict, invalid, notFound, OutreachError } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { instantText } from '../fields/fields.ts';
import { actAsOwner } from './act-as-owner.ts';
import { print, printJson } from './terminal.ts';
import { isUsageError, usageMessage } from './usage-error.ts';

/** `--workspace`, for every command that works in one workspace. */
export const workspaceFlag = Flags.string({
  description: 'id or name of the workspace (default: the default workspace)',
  helpValue: 'W',
});

/** The base of every command: `--data-dir`, `--debug`, JSON output, and an open installation on request. */
export abstract class OutreachCommand extends Command {
  static override enableJsonFlag = true;

  static override baseFlags = {
    'data-dir': Flags.string({ description: 'data directory (OUTREACH_DATA_DIR)', helpGroup: 'GLOBAL', helpValue: 'DIR' }),
    debug: Flags.boolean({ description: 'print the stack trace of an error', helpGroup: 'GLOBAL' }),
  };

  /** Leaves errors to main, which prints them on stderr with --json too: stdout holds one document or nothing. */
  protected override catch(error: Error): Promise<never> {
    if (isUsageError(error)) throw invalid(usageMessage(error, this.id?.replaceAll(':', ' ')), { cause: error });
    throw error;
  }

  /** Prints text of any number of lines; nothing with --json. */
  override log(text = ''): void {
    if (!this.jsonEnabled()) print(text);
  }

  /** Prints one line, into which what strangers wrote can't put another. */
  protected logLine(text: string): void {
    this.log(terminalLine(text));
  }

  override logJson(value: unknown): void {
    printJson(value);
  }

  /**
   * The settings, with the flags of this command before all others; root acts as the owner of the data directory from then on.
   * Throws `invalid_request` naming a malformed setting, or the owner whom this user is not.
   */
  protected settings(flags: { 'data-dir'?: string | undefined }, overrides: Parameters<typeof loadConfig>[0] = {}): Config {
    const config = loadConfig({ ...overrides, ...(flags['data-dir'] === undefined ? {} : { dataDir: flags['data-dir'] }) });
    actAsOwner(config.dataDir);
    return config;
  }

  /**
   * Opens the installation, runs the work and closes it, whatever happens. Throws `conflict` when nothing is installed or
   * the schema is not the one of this version.
   */
  protected async withApp<Result>(flags: { 'data-dir'?: string | undefined }, work: (app: App) => Promise<Result>): Promise<Result> {
    const config = this.settings(flags);
    requireInstalled(config);
    const { openRuntime } = await import('../main/runtime.ts');
    const { migrationStatus, refuseNewerDatabase } = await import('../db/migrate.ts');
    const { createLogger } = await import('../core/log.ts');
    // A command prints its own result; the log is for errors.
    const level = config.logLevel === 'info' ? 'error' : config.logLevel;
    const runtime = await openRuntime(config, { log: createLogger(level), poolSize: 4, applicationName: 'outreach cli' });
    try {
      const status = await migrationStatus(runtime.app);
      refuseNewerDatabase(status);
      if (status.executed.length === 0) throw conflict('Outreach is not installed in this database; run: outreach install');
      if (status.pending.length > 0) throw conflict(`the database needs migrations (${status.pending.join(', ')}); run: outreach migrate`);
      return await work(runtime.app);
    } finally {
      await runtime.close();
    }
  }

  /** The operator in the workspace that --workspace names; what it creates belongs to --owner, if given. Throws `not_found`. */
  protected async operatorIn(app: App, workspace: string | undefined, owner?: string): Promise<Caller> {
    const { id } = await findWorkspace(app.db, workspace);
    const user = owner === undefined ? null : await findUserByEmail(app.db, owner);
    return operator(id, user?.id ?? null);
  }
}

/** Throws `conflict`, before anything is created, when this data directory has no embedded database. */
function requireInstalled(config: Config): void {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION')))
    throw new OutreachError('conflict', `Outreach is not installed in ${config.dataDir}; run: outreach install`);
}

/** The id in an argument. Throws `not_found`, as for an id that does not exist, when it is not a positive integer. */
export function idArgument(text: string, noun: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw notFound(`${noun} "${text}"`);
  return Number(text);
}

/**
 * The instant in a flag: RFC 3339 with a time zone, or a date, which stands for its midnight UTC. Throws `invalid_request`
 * naming the flag.
 */
export function instantFlag(text: string, name: string): Date {
  const parsed = instantText.safeParse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (!parsed.success) throw invalid(`--${name}: must be a date such as 2026-01-31 or a timestamp such as 2026-01-31T09:00:00Z`);
  return parsed.data;
}
