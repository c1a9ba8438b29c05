// biome-ignore-all lint/style/noProcessEnv: with a server or a folder in the environment, the login of this machine is not asked

import { Flags } from '@oclif/core';
import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import type { Config, loadConfig } from '../core/config.ts';
import { invalid } from '../core/errors.ts';
import { BaseCommand } from './base-command.ts';
import { type InstallationFlags, openInstallation, settingsOf } from './installation.ts';
import { loginPath, readLogin } from './login.ts';
import { say } from './terminal.ts';
import { isUsageError } from './usage-error.ts';

/** The base of the commands that need the machine of an installation: `--data-dir`, and the open installation on request. */
export abstract class OutreachCommand extends BaseCommand {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    'data-dir': Flags.string({ description: 'data directory (OUTREACH_DATA_DIR)', helpGroup: 'GLOBAL', helpValue: 'DIR' }),
  };

  protected override async catch(error: Error): Promise<never> {
    const flags = isUsageError(error) ? ((error as { flags?: readonly string[] }).flags ?? []) : [];
    if (flags.some((flag) => /^--(url|key)$/.test(flag)))
      throw invalid(`${this.#words} works only on the machine of the installation; run it there, without ${flags[0]}`);
    return super.catch(error);
  }

  /** Refuses OUTREACH_URL, which names a server, unless --data-dir names the installation or the command has a --url of its own. */
  protected override async init(): Promise<void> {
    await super.init();
    const isNamed = 'url' in (this.ctor.flags ?? {}) || this.argv.some((word) => /^--data-dir(=|$)/.test(word));
    if (isNamed) return;
    if (!process.env.OUTREACH_URL) return this.#nameMachine();
    throw invalid(`${this.#words} works only on the machine of the installation; unset OUTREACH_URL, or add --data-dir`);
  }

  /** Tells users who are logged in to a server that the command does not work there. OUTREACH_DATA_DIR names an installation. */
  #nameMachine(): void {
    const login = process.env.OUTREACH_DATA_DIR ? undefined : readLogin(loginPath());
    if (login !== undefined) say(`${this.#words} works on this machine, not on ${login.url}, where you are logged in.`);
  }

  get #words(): string {
    return this.id?.replaceAll(':', ' ') ?? '';
  }

  /** The settings, see `settingsOf`. */
  protected settings(flags: InstallationFlags, overrides: Parameters<typeof loadConfig>[0] = {}): Config {
    return settingsOf(flags, overrides);
  }

  /** Opens the installation, runs the work and closes it, whatever happens. Throws the errors of `openInstallation`. */
  protected async withApp<Result>(flags: InstallationFlags, work: (app: App) => Promise<Result>): Promise<Result> {
    const installation = await openInstallation(this.settings(flags));
    try {
      return await work(installation.app);
    } finally {
      await installation.close();
    }
  }

  /** The operator, in the default workspace. */
  protected async operator(app: App): Promise<Caller> {
    const { findWorkspace, operator } = await import('./operator.ts');
    return operator((await findWorkspace(app.db, undefined)).id);
  }
}
