import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyFilter, replyFilters } from '../../src/cli/client/reply-arguments.ts';
import { listFlags } from '../../src/cli/list-output.ts';
import { COUNTED_REPLIES } from '../../src/client/pages.ts';

const DEFAULT_COLUMNS = ['id', 'received_at', 'is_read', 'kind', 'from', 'may_ask_to_be_removed', 'label', 'subject', 'snippet'];

export default class ReplyList extends ClientCommand {
  static override description = `List replies, newest first

Those that may ask to be removed come before all others, until somebody confirms or dismisses that. Without --kind, lists what people wrote: the kinds reply and colleague.`;
  static override examples = [
    '<%= config.bin %> reply list --unread',
    '<%= config.bin %> reply list --campaign "Spring fair" --label interested --all --csv',
    '<%= config.bin %> reply list --search "price tuesday"',
  ];
  static override flags = {
    ...listFlags,
    ...replyFilters,
  };

  async run() {
    const { flags } = await this.parse(ReplyList);
    const api = await this.client(flags);
    const filter = await replyFilter(api, flags);
    return this.list(flags, DEFAULT_COLUMNS, async (page) => {
      const found = await api.replies.list.query({ ...page, ...filter });
      return flags.search === undefined ? found : withoutUncounted(found);
    });
  }
}

const withoutUncounted = <Row>({ data, pagination }: { data: Row[]; pagination: { total: number } }) => ({
  data,
  pagination: pagination.total > COUNTED_REPLIES ? { total: null } : pagination,
});
