import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { draftId, draftsArgument } from '../../src/cli/client/reply-arguments.ts';
import { campaignFrame } from '../../src/cli/client/time-frame.ts';
import { once } from '../../src/client/repeat-cut-off.ts';
import { localText } from '../../src/terminal/local-text.ts';

export default class ReplyApprove extends ClientCommand {
  static override description = `Approve drafted answers, which are sent

A daemon sends each within seconds, or at the time that the draft names. If one is refused, those after it stay drafts.`;
  static override examples = ['<%= config.bin %> reply approve 12', '<%= config.bin %> reply approve 12 13 14'];
  static override args = { draft: draftsArgument };
  static override flags = { 'even-if-suppressed': Flags.boolean({ description: 'also to an address that is suppressed' }) };

  async run() {
    const { args, flags } = await this.parse(ReplyApprove);
    const api = await this.client(flags);
    return this.oneByOne(args.draft.map(draftId), String, async (id) => {
      const { send_at, campaign_id } = await api.draft.get.query({ id });
      const when =
        send_at === null ? 'within seconds' : `at ${localText(send_at, (await campaignFrame(api, campaign_id, 'future')).timezone)}`;
      const reply = await api.draft.approve.mutate({ id, even_if_suppressed: flags['even-if-suppressed'] }, once());
      this.logLine(`Answer to ${reply.from} queued. It is sent ${when}.`);
      return reply;
    });
  }
}
