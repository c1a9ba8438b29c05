import { Args, Flags } from '@oclif/core';
import { ACCOUNT_COLUMNS, readAccountRows } from '../../src/cli/client/account-rows.ts';
import type { Api } from '../../src/cli/client/api.ts';
import { apiError } from '../../src/cli/client/api-error.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { SKIP_LINES } from '../../src/cli/file-flags.ts';
import { Progress } from '../../src/cli/progress.ts';
import { grouped, quantity } from '../../src/core/english.ts';
import { messageOf } from '../../src/core/errors.ts';
import { inParallel } from '../../src/core/in-parallel.ts';

interface ImportedAccount {
  line: number;
  email: string;
  account_id: number | null;
  error: string | null;
}

export default class AccountImport extends ClientCommand {
  static override description = `Connect the accounts in a CSV file

Logs in to the servers of each, several at a time, and prints a line for each. Only those whose logins succeed are \
connected. An account that is connected already gets the servers, credentials and settings of the file, so the command can be run again.

The first line names the columns: ${ACCOUNT_COLUMNS.join(', ')}. Only email is required, \
and smtp_url unless the provider is google or microsoft; password is for both servers, and spaces separate tags. The settings are those \
of account set. Nobody else should be able to read the file, and it should be deleted afterwards.`;
  static override examples = ['<%= config.bin %> account import mailboxes.csv', '<%= config.bin %> account import mailboxes.csv --tag us'];
  static override args = { file: Args.string({ required: true, description: 'CSV file' }) };
  static override flags = {
    parallel: Flags.integer({ description: 'accounts to log in to at a time', default: 20, min: 1, max: 50, helpValue: 'N' }),
    'skip-lines': SKIP_LINES,
    tag: Flags.string({ description: 'tag for every account; may be repeated', helpValue: 'T', multiple: true, multipleNonGreedy: true }),
  };

  async run() {
    const { args, flags } = await this.parse(AccountImport);
    const rows = await readAccountRows(args.file, flags.tag ?? [], flags['skip-lines']);
    const api = await this.client(flags);
    const bar = new Progress();
    let done = 0;
    const data = await inParallel(rows, flags.parallel, async ({ line, email, ...row }) => {
      const result = 'error' in row ? { account_id: null, error: row.error } : await this.#connect(api, row.connection);
      bar.end();
      const fate =
        result.error === null ? `${email} is connected (account ${result.account_id})` : [email, result.error].filter(Boolean).join(': ');
      this.logLine(`line ${line}: ${fate}`);
      bar.show(++done / rows.length, quantity(done, 'account'));
      return { line, email, ...result } satisfies ImportedAccount;
    }).finally(() => bar.end());
    const connected = data.filter(({ error }) => error === null).length;
    const failed = data.length - connected;
    this.log(`${quantity(connected, 'account was', 'accounts were')} connected, ${grouped(failed)} failed.`);
    if (failed > 0) process.exitCode = 1;
    else this.next('account list');
    return { rows: data.length, connected, failed, data };
  }

  async #connect(api: Api, connection: Parameters<Api['accountSetup']['connect']['mutate']>[0]) {
    try {
      const { id } = await api.accountSetup.connect.mutate(connection);
      return { account_id: id, error: null };
    } catch (error) {
      return { account_id: null, error: messageOf(apiError(error, this.server ?? undefined)) };
    }
  }
}
