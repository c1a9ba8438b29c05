// biome-ignore-all lint/style/noProcessEnv: with a server in the environment, the settings of this machine are not loaded

import { Flags } from '@oclif/core';
import type { ReadPage } from '../../client/pages.ts';
import { invalid, OutreachError } from '../../core/errors.ts';
import { BaseCommand } from '../base-command.ts';
import { type ListFlags, listFlags, readList } from '../list-output.ts';
import { type Login, loginPath, readLogin } from '../login.ts';
import { type ListDocument, printRows } from '../print-rows.ts';
import { printDrawn, say } from '../terminal.ts';
import type { Api } from './api.ts';
import { withTarget } from './hint.ts';
import type { LocalApi } from './local.ts';
import { isFoundBy } from './names.ts';
import { type TargetFlags, targetOf } from './target.ts';

const helpGroup = 'GLOBAL';

/** The end of a message about a record that was not found; a suggestion may follow. */
const MISSING = / not found(?=$|; did you mean )/;

/**
 * The base of the commands that call procedures, on a server or on an installation of this machine. docs/cli.md says which of
 * them a command works on.
 */
export abstract class ClientCommand extends BaseCommand {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    'data-dir': Flags.string({ description: 'data directory (OUTREACH_DATA_DIR)', helpGroup, helpValue: 'DIR' }),
    key: Flags.string({ description: 'API key for the server (prefer OUTREACH_API_KEY)', helpGroup, helpValue: 'K' }),
    url: Flags.string({ description: 'address of a server to work on (OUTREACH_URL, or outreach login)', helpGroup, helpValue: 'U' }),
    workspace: Flags.string({
      description: 'id or name of the workspace, on this machine (OUTREACH_WORKSPACE, or workspace use)',
      helpGroup,
      helpValue: 'W',
    }),
  };

  #opened:
    | ({ api: Api; url?: string; close?: () => Promise<void> } & Partial<Pick<LocalApi, 'baseUrl' | 'workspace' | 'others'>>)
    | undefined;
  #flags: TargetFlags = {};

  /**
   * Returns the typed client of every procedure. It calls the server that the flags, the environment or the stored login name, otherwise
   * the installation of the data directory, as its operator in --workspace. It is closed after the command.
   */
  protected async client(flags: TargetFlags): Promise<Api> {
    this.#flags = flags;
    this.#opened ??= await this.#open(flags);
    return this.#opened.api;
  }

  /**
   * Returns the client in the workspace that an argument names: on this machine as its operator there; on a server a key works only in
   * its own workspace. Throws `not_found` for an unknown workspace, and `invalid_request` for another than the key's.
   */
  protected async clientIn(flags: TargetFlags, workspace: string | undefined): Promise<Api> {
    if (workspace === undefined) return this.client(flags);
    if (this.target(flags) === undefined) return this.client({ ...flags, workspace });
    const api = await this.client(flags);
    const own = await api.access.workspace.query({});
    if (String(own.id) !== workspace && own.name.toLowerCase() !== workspace.toLowerCase())
      throw invalid(`the key works in its own workspace, "${own.name}" (${own.id}); for another, use one of its keys`);
    return api;
  }

  /** The URL of the server that the command works on; null on this machine. Read it after `client`. */
  protected get server(): string | null {
    return this.#opened?.url ?? null;
  }

  /** The public address of the installation that the command works on. Read it after `client`. */
  protected get publicUrl(): string {
    return this.#opened?.url ?? this.#opened?.baseUrl ?? '';
  }

  /** The server that the command works on, and its key; undefined for this machine. Throws the errors of `targetOf`. */
  protected target(flags: TargetFlags): Login | undefined {
    return targetOf(flags, process.env, () => readLogin(loginPath()));
  }

  async #open(flags: TargetFlags) {
    const server = this.target(flags);
    if (server === undefined) return (await import('./local.ts')).openLocalApi(flags);
    const { createClient } = await import('../../client/create-client.ts');
    return { api: createClient({ ...server, retries: 0 }), url: server.url };
  }

  protected override async catch(error: Error): Promise<never> {
    const { apiError } = await import('./api-error.ts');
    const known = apiError(error, this.#opened?.url);
    if (!(known instanceof OutreachError)) return super.catch(known as Error);
    const [{ withFlags }, { withListOf }] = await Promise.all([import('./flag-names.ts'), import('../not-found-hint.ts')]);
    const said = withFlags(known.code === 'not_found' ? await this.#withId(known.message) : known.message, this.ctor.flags ?? {});
    const placed = MISSING.test(said) && known.code === 'not_found' ? said.replace(MISSING, ` not found${await this.#whereElse()}`) : said;
    const message = withTarget(known.code === 'not_found' ? withListOf(placed) : said, this.#flags);
    return super.catch(message === known.message ? known : new OutreachError(known.code, message, { cause: known }));
  }

  async #withId(message: string): Promise<string> {
    if (!MISSING.test(message)) return message;
    const { withId } = await import('./missing-id.ts');
    return withId(message, { command: this.id ?? '', ...(await this.parse(this.ctor as typeof ClientCommand)) });
  }

  /** Names the workspace where a record was not found and the one that has it; empty if there is only one workspace. */
  async #whereElse(): Promise<string> {
    const { api, workspace, others } = this.#opened ?? {};
    const elsewhere = (await others?.()) ?? [];
    if (api === undefined || elsewhere.length === 0) return '';
    for (const other of elsewhere)
      if (await isFoundBy(other.api, api))
        return ` in workspace "${workspace}"; it is in "${other.name}", add: --workspace "${other.name}"`;
    return ` in workspace "${workspace}"`;
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    await this.#opened?.close?.();
    await super.finally(error);
  }

  /**
   * Works on the items in turn, until one fails. If there are several, the error names that item and says how many before it are done.
   * @param name returns an item as the user named it
   */
  protected async oneByOne<Item, Result>(
    items: readonly Item[],
    name: (item: Item) => string | number,
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    for (const item of items) {
      try {
        results.push(await work(item));
      } catch (error) {
        const { apiError } = await import('./api-error.ts');
        const known = apiError(error, this.server ?? undefined);
        // A role is refused for every item alike.
        if (items.length === 1 || !(known instanceof OutreachError) || known.code === 'forbidden') throw error;
        const done = `${results.length} of ${items.length} ${results.length === 1 ? 'is' : 'are'} done`;
        throw new OutreachError(known.code, `${name(item)}: ${known.message}; ${done}`, { cause: known });
      }
    }
    return results;
  }

  /**
   * Reads and prints a list as --limit, --all, --columns and --csv request, and tells when rows were left out.
   * @param usual the columns without --columns
   * @param shown the row as the table shows it; JSON and CSV have the API's values, and take from it only what the API lacks
   * @returns the JSON document
   */
  protected async list<Row extends object>(
    flags: ListFlags,
    usual: readonly string[],
    read: ReadPage<Row>,
    shown: (row: Row) => object = (row) => row,
  ): Promise<ListDocument> {
    const listing = await readList(flags, read);
    const none = listing.rows.length === 0 ? await this.#noneText(flags) : undefined;
    return printRows(this, flags, usual, listing, shown, { none });
  }

  /** Returns the text for an empty list: what is missing, in which workspace, and how to create one. */
  async #noneText(flags: ListFlags): Promise<string | undefined> {
    if (this.jsonEnabled() || this.#opened === undefined) return undefined;
    const { noneText } = await import('./none-text.ts');
    const isFiltered = Object.keys(flags).some(
      (name) => !Object.hasOwn(listFlags, name) && !Object.hasOwn(ClientCommand.baseFlags, name) && name !== 'json',
    );
    const values = new Set(Object.values(flags).map(String));
    const workspace = this.#opened.workspace ?? (await this.#opened.api.access.workspace.query({})).name;
    return withTarget(
      noneText(this.id ?? '', {
        workspace,
        isFiltered: isFiltered || this.argv.some((word) => word === '--' || (!word.startsWith('-') && !values.has(word))),
      }),
      this.#flags,
    );
  }

  /** True if `next` prints anything. A command that needs a call to find the next command checks this first. */
  protected get tellsNext(): boolean {
    return process.stderr.isTTY === true && process.stdout.isTTY === true && !this.jsonEnabled();
  }

  /** Tells a person at the terminal, on stderr, the command to run next. */
  protected next(command: string): void {
    if (this.tellsNext) say(withTarget(`Next: outreach ${command}`, this.#flags));
  }

  /**
   * Prints text that `table` and `factsText` laid out. Commands in it get the flags that make them work where this one does. Prints nothing
   * with --json.
   */
  protected draw(text: string): void {
    if (!this.jsonEnabled()) printDrawn(withTarget(text, this.#flags));
  }

  /** Prints a line of our own text. Commands in it get the flags that make them work where this one does. */
  protected tell(text: string): void {
    this.logLine(withTarget(text, this.#flags));
  }
}
