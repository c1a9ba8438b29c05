// biome-ignore-all lint/style/noProcessEnv: with a server or a folder in the environment, the login of this machine is not read

import { Flags } from '@oclif/core';
import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import type { Config, loadConfig } from '../core/config.ts';
import { invalid, OutreachError } from '../core/errors.ts';
import { BaseCommand } from './base-command.ts';
import { withTarget } from './client/hint.ts';
import { type InstallationFlags, openInstallation, settingsOf } from './installation.ts';
import { loginPath, readLogin } from './login.ts';
import { withListOf } from './not-found-hint.ts';
import { say } from './terminal.ts';
import { isUsageError } from './usage-error.ts';

/** The base of the commands that run on the machine of an installation. Adds `--data-dir`, and opens the installation on request. */
export abstract class OutreachCommand extends BaseCommand {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    'data-dir': Flags.string({ description: 'data directory (OUTREACH_DATA_DIR)', helpGroup: 'GLOBAL', helpValue: 'DIR' }),
  };

  #flags: InstallationFlags = {};

  protected override async catch(error: Error): Promise<never> {
    const flags = isUsageError(error) ? ((error as { flags?: readonly string[] }).flags ?? []) : [];
    if (flags.some((flag) => /^--(url|key)$/.test(flag)))
      throw invalid(`${this.#name} works only on the machine of the installation; run it there, without ${flags[0]}`);
    if (!(error instanceof OutreachError)) return super.catch(error);
    const message = withTarget(error.code === 'not_found' ? withListOf(error.message) : error.message, this.#flags);
    return super.catch(message === error.message ? error : new OutreachError(error.code, message, { cause: error }));
  }

  /** Prints text. Commands in it get the `--data-dir` of this one. Prints nothing with --json. */
  override log(text = ''): void {
    super.log(withTarget(text, this.#flags));
  }

  /** Refuses OUTREACH_URL, which names a server, unless --data-dir names the installation or the command has a --url of its own. */
  protected override async init(): Promise<void> {
    await super.init();
    const isNamed = 'url' in (this.ctor.flags ?? {}) || this.argv.some((word) => /^--data-dir(=|$)/.test(word));
    if (isNamed) return;
    if (!process.env.OUTREACH_URL) return this.#nameMachine();
    throw invalid(`${this.#name} works only on the machine of the installation; unset OUTREACH_URL, or add --data-dir`);
  }

  /** Tells users who are logged in to a server that the command does not work there. OUTREACH_DATA_DIR names an installation. */
  #nameMachine(): void {
    const login = process.env.OUTREACH_DATA_DIR ? undefined : readLogin(loginPath());
    if (login !== undefined) say(`${this.#name} works on this machine, not on ${login.url}, where you are logged in.`);
  }

  get #name(): string {
    return this.id?.replaceAll(':', ' ') ?? '';
  }

  /** The settings, see `settingsOf`. */
  protected settings(flags: InstallationFlags, overrides: Parameters<typeof loadConfig>[0] = {}): Config {
    this.#flags = { 'data-dir': flags['data-dir'] };
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
