import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { draftId, draftsArgument } from '../../src/cli/client/reply-arguments.ts';

export default class ReplyDiscard extends ClientCommand {
  static override description = 'Discard drafted answers';
  static override examples = ['<%= config.bin %> reply discard 12', '<%= config.bin %> reply discard 12 13'];
  static override args = { draft: draftsArgument };

  async run() {
    const { args, flags } = await this.parse(ReplyDiscard);
    const api = await this.client(flags);
    const ids = args.draft.map(draftId);
    await this.oneByOne(ids, String, async (id) => {
      await api.draft.remove.mutate({ id });
      this.logLine(`Draft ${id} is discarded.`);
    });
    return { discarded: ids };
  }
}
