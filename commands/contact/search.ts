import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { listFlags } from '../../src/cli/list-output.ts';

const DEFAULT_COLUMNS = ['id', 'name', 'email', 'company', 'created_at'];

export default class ContactSearch extends ClientCommand {
  static override description = `Search contacts with the Smart Search language

docs/smart-search.md describes it. Archived contacts are left out unless the query asks for them.`;
  static override examples = [
    '<%= config.bin %> contact search "company:acme -replied:true created:>30d"',
    '<%= config.bin %> contact search "domain:*.acme.com" --all --csv --columns id,email',
  ];
  static override args = { query: Args.string({ required: true, description: 'query' }) };
  static override flags = { ...listFlags };

  async run() {
    const { args, flags } = await this.parse(ContactSearch);
    const api = await this.client(flags);
    return this.list(flags, DEFAULT_COLUMNS, (page) => api.search.search.query({ q: args.query, ...page }));
  }
}
