import { AccountsCommand, accountsArgument, choiceFlags } from '../../src/cli/client/accounts-command.ts';
import type { Api } from '../../src/cli/client/api.ts';
import { eachRecord } from '../../src/client/pages.ts';
import { quantity } from '../../src/core/english.ts';

export default class AccountResume extends AccountsCommand {
  static override description = 'Resume accounts and the campaigns that were paused with them';
  static override examples = ['<%= config.bin %> account resume 3 zoe@example.com', '<%= config.bin %> account resume --tag us'];
  static override args = accountsArgument;
  static override flags = choiceFlags;

  async run() {
    const { args, flags } = await this.parse(AccountResume);
    const api = await this.client(flags);
    const paused = this.jsonEnabled() ? null : new Set((await campaignsThat(api, 'paused')).map(({ id }) => id));
    const result = await this.eachAccount(
      api,
      { words: args.account, all: flags.all, tag: flags.tag },
      (id) => api.accounts.resume.mutate({ id }),
      ({ id, email }) => `${email} (account ${id}) is active.`,
    );
    if (paused !== null) await this.#listResumed(api, paused);
    return result;
  }

  /** Names the campaigns that continue with the account. @param paused the campaigns that were paused before */
  async #listResumed(api: Api, paused: ReadonlySet<number>): Promise<void> {
    const names = (await campaignsThat(api, 'active')).filter(({ id }) => paused.has(id)).map(({ name }) => `"${name}"`);
    if (names.length === 0) return this.tell('No campaign was waiting.');
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    this.tell(`${quantity(names.length, 'campaign')} can send again: ${names.slice(0, NAMED).join(', ')}${more}.`);
  }
}

/** Maximum number of campaigns named in a line; the others are counted. */
const NAMED = 5;

const campaignsThat = (api: Api, status: 'active' | 'paused') =>
  Array.fromAsync(eachRecord((page) => api.campaigns.list.query({ ...page, status })));
