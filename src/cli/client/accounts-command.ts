import { Args, Flags } from '@oclif/core';
import { eachRecord } from '../../client/pages.ts';
import { invalid, messageOf } from '../../core/errors.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { say } from '../terminal.ts';
import type { Api } from './api.ts';
import { apiError } from './api-error.ts';
import { ClientCommand } from './client-command.ts';
import { idOf } from './names.ts';

/** The argument of the commands that work on several accounts. */
export const accountsArgument = {
  account: Args.string({ multiple: true, description: 'id or email address of an account; several may be given' }),
};

/** The flags by which those commands choose accounts. */
export const choiceFlags = {
  all: Flags.boolean({ description: 'every account that is not archived' }),
  tag: Flags.string({ description: 'every account with this tag that is not archived', helpValue: 'T' }),
};

/** Accounts chosen by name, by --all or by --tag: exactly one of the three. */
export interface Choice {
  words: readonly string[] | undefined;
  all: boolean;
  tag?: string | undefined;
  /** True to choose the archived accounts instead. */
  archived?: boolean;
}

/** The result for an account that could not be changed, if there are several. */
export interface FailedAccount {
  account_id: number;
  error: string;
}

/** The ids of the chosen accounts. Throws `invalid_request` unless they are named in one way, and `not_found`. */
async function chosenAccounts(api: Api, { words = [], all, tag, archived = false }: Choice): Promise<number[]> {
  if ([words.length > 0, all, tag !== undefined].filter(Boolean).length !== 1)
    throw invalid('name the accounts, or pass --all or --tag T to choose them');
  if (words.length > 0) {
    const ids: number[] = [];
    for (const word of words) ids.push(await idOf(api, 'account', word));
    return [...new Set(ids)];
  }
  const rows = await Array.fromAsync(eachRecord((page) => api.accountOverview.list.query({ ...page, tag })));
  const ids = rows.filter(({ is_archived }) => is_archived === archived).map(({ id }) => id);
  if (ids.length === 0) {
    const kind = archived ? 'archived account' : rows.length === 0 ? 'account' : 'account that is not archived';
    throw invalid(tag === undefined ? `there is no ${kind}` : `no ${kind} has the tag "${tag}"`);
  }
  return ids;
}

/** The base of the commands that work on several accounts. */
export abstract class AccountsCommand extends ClientCommand {
  /**
   * Works on the chosen accounts, ten at a time. If a single account is named, its result or error is that of the command. Otherwise
   * each account gets a line; a failure does not stop the others, but makes the exit status 1.
   * @param line the text for an account that was worked on
   * @param alone prints the result of a single named account instead
   */
  protected async eachAccount<Result extends object>(
    api: Api,
    choice: Choice,
    work: (id: number) => Promise<Result>,
    line: (result: Result) => string,
    alone: (result: Result) => void = (result) => this.tell(line(result)),
  ): Promise<Result | { data: (Result | FailedAccount)[] }> {
    const ids = await chosenAccounts(api, choice);
    const [only] = ids;
    if (only !== undefined && choice.words?.length === 1) {
      const result = await work(only);
      alone(result);
      return result;
    }
    const data = await inParallel(ids, 10, async (id) => {
      try {
        const result = await work(id);
        this.tell(line(result));
        return result;
      } catch (error) {
        const message = messageOf(apiError(error, this.server ?? undefined));
        process.exitCode = 1;
        say(`account ${id}: ${message}`);
        return { account_id: id, error: message };
      }
    });
    return { data };
  }
}
