import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { replyKind } from '../../src/cli/client/reply-arguments.ts';
import { timeFrame } from '../../src/cli/client/time-frame.ts';
import { instantText, TIMES } from '../../src/cli/instant.ts';
import { listFlags } from '../../src/cli/list-output.ts';
import { COUNTED_REPLIES } from '../../src/client/pages.ts';

const DEFAULT_COLUMNS = ['id', 'received_at', 'is_read', 'kind', 'from', 'label', 'subject', 'snippet'];

export default class ReplyList extends ClientCommand {
  static override description = 'List replies, newest first\n\nWithout --kind, lists what people wrote: the kinds reply and colleague.';
  static override examples = [
    '<%= config.bin %> reply list --unread',
    '<%= config.bin %> reply list --campaign "Spring fair" --label interested --all --csv',
    '<%= config.bin %> reply list --search "price tuesday"',
  ];
  static override flags = {
    ...listFlags,
    account: Flags.string({ description: 'only replies to emails of this account, by id or email address', helpValue: 'A' }),
    campaign: Flags.string({ description: 'only replies to this campaign, by id or name', helpValue: 'C' }),
    kind: replyKind({ description: 'only replies of this kind' }),
    label: Flags.string({ description: 'only replies with this label', helpValue: 'L' }),
    search: Flags.string({ description: 'words in sender, subject or what the author wrote', helpValue: 'WORDS' }),
    since: Flags.string({ description: `only replies received since then, ${TIMES}`, helpValue: 'TIME' }),
    unread: Flags.boolean({ description: 'only replies that nobody has read' }),
  };

  async run() {
    const { flags } = await this.parse(ReplyList);
    const api = await this.client(flags);
    const filter = {
      ...{ kind: flags.kind, label: flags.label, q: flags.search, is_read: flags.unread ? false : undefined },
      account_id: flags.account === undefined ? undefined : await idOf(api, 'account', flags.account),
      campaign_id: flags.campaign === undefined ? undefined : await idOf(api, 'campaign', flags.campaign),
      since: flags.since === undefined ? undefined : instantText(flags.since, '--since', await timeFrame(api, 'past')),
    };
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
