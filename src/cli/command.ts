import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Flags } from '@oclif/core';
import { type Caller, findUserByEmail, findWorkspace, operator } from '../access/index.ts';
import type { App } from '../app.ts';
import { type Config, loadConfig } from '../core/config.ts';
import { conflict, invalid, notFound, OutreachError } from '../core/errors.ts';
import { instantText } from '../fields/fields.ts';

/** `--workspace`, taken by every command that works inside one. */
export const workspaceFlag = Flags.string({
  description: 'id or name of the workspace; the default workspace when left out',
  helpValue: 'W',
});

/** What every command shares: the data directory, JSON output, and the opened installation. */
export abstract class OutreachCommand extends Command {
  static override enableJsonFlag = true;

  static override baseFlags = {
    'data-dir': Flags.string({ description: 'data directory (OUTREACH_DATA_DIR)', helpGroup: 'GLOBAL', helpValue: 'DIR' }),
    debug: Flags.boolean({ description: 'print the stack of an error', helpGroup: 'GLOBAL' }),
  };

  /** Errors are printed by main, on stderr, with --json too: stdout holds the one document or nothing. */
  protected override catch(error: Error): Promise<never> {
    throw error;
  }

  protected config_(flags: { 'data-dir'?: string | undefined }, settings: Parameters<typeof loadConfig>[0] = {}): Config {
    return loadConfig({ ...settings, ...(flags['data-dir'] === undefined ? {} : { dataDir: flags['data-dir'] }) });
  }

  /** Opens an installation that is in place, runs the work, and closes it whatever happens. */
  protected async withApp<Result>(flags: { 'data-dir'?: string | undefined }, work: (app: App) => Promise<Result>): Promise<Result> {
    const config = this.config_(flags);
    requireInstalled(config);
    const { openRuntime } = await import('../main/runtime.ts');
    const { migrationStatus, refuseNewerDatabase } = await import('../db/migrate.ts');
    const { createLogger } = await import('../core/log.ts');
    // A command says what it has to say itself; the log is for when it goes wrong.
    const level = config.logLevel === 'info' ? 'error' : config.logLevel;
    const runtime = await openRuntime(config, { log: createLogger(level), poolSize: 4, applicationName: 'outreach cli' });
    try {
      const status = await migrationStatus(runtime.app);
      refuseNewerDatabase(status);
      if (status.executed.length === 0) throw conflict('nothing is installed in this database; run: outreach install');
      if (status.pending.length > 0) throw conflict(`the database lacks ${status.pending.join(', ')}; run: outreach migrate`);
      return await work(runtime.app);
    } finally {
      await runtime.close();
    }
  }

  /** The operator acting inside the workspace that --workspace names, in the name of --owner where given. */
  protected async operatorIn(app: App, workspace: string | undefined, owner?: string): Promise<Caller> {
    const { id } = await findWorkspace(app.db, workspace);
    const user = owner === undefined ? null : await findUserByEmail(app.db, owner);
    return operator(id, user?.id ?? null);
  }
}

/** Throws before anything is made when the embedded database of this data directory was never set up. */
function requireInstalled(config: Config): void {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION')))
    throw new OutreachError('conflict', `nothing is installed in ${config.dataDir}; run: outreach install`);
}

/** An integer id given as an argument. Throws `not_found` for anything that can't be one. */
export function idArgument(text: string, noun: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw notFound(`${noun} "${text}"`);
  return Number(text);
}

/**
 * An instant given as an option: RFC 3339 with a zone, or a day, which begins at midnight UTC. Throws `invalid_request`
 * naming the option.
 */
export function instantOption(text: string, name: string): Date {
  const parsed = instantText.safeParse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (!parsed.success) throw invalid(`--${name}: must be a day such as 2026-01-31 or an instant such as 2026-01-31T09:00:00Z`);
  return parsed.data;
}
