import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { newReplies, type Reply } from '../../src/cli/client/new-replies.ts';
import { replyKind } from '../../src/cli/client/reply-arguments.ts';
import { watch } from '../../src/cli/client/watch.ts';
import { pipeToCommand } from '../../src/cli/pipe-to-command.ts';
import { printJsonLine, ringBell, say } from '../../src/cli/terminal.ts';

export default class ReplyWatch extends ClientCommand {
  static override description = `Show new replies as they come in, until Ctrl-C

Each reply is shown once. While the server does not answer, the command tries again, and then shows what came in meanwhile. --exec runs a \
command for each reply, one after the other, with the reply and its text as JSON on stdin. If it fails, the error is shown and watching continues.`;
  static override examples = [
    '<%= config.bin %> reply watch --bell',
    '<%= config.bin %> reply watch --campaign "Spring fair" --json',
    "<%= config.bin %> reply watch --exec 'jq -r .text >> replies.txt'",
  ];
  static override enableJsonFlag = false;
  static override flags = {
    account: Flags.string({ description: 'only replies to emails of this account, by id or email address', helpValue: 'A' }),
    bell: Flags.boolean({ description: 'ring the bell of the terminal' }),
    campaign: Flags.string({ description: 'only replies to this campaign, by id or name', helpValue: 'C' }),
    exec: Flags.string({ description: 'run this command of the shell for each reply', helpValue: 'CMD' }),
    json: Flags.boolean({ description: 'print each reply, with its text and its thread, as JSON on a line of its own' }),
    kind: replyKind({ description: 'only replies of this kind' }),
  };

  async run() {
    const { flags } = await this.parse(ReplyWatch);
    const api = await this.client(flags);
    const filter = {
      kind: flags.kind,
      account_id: flags.account === undefined ? undefined : await idOf(api, 'account', flags.account),
      campaign_id: flags.campaign === undefined ? undefined : await idOf(api, 'campaign', flags.campaign),
    };
    await watch(this.server, async (options) => {
      for await (const reply of newReplies(api, filter, options)) {
        if (flags.json) printJsonLine(reply);
        else this.logLine(lineOf(reply));
        if (flags.bell) ringBell();
        if (flags.exec !== undefined) await execute(flags.exec, reply, flags.json);
      }
    });
  }
}

const lineOf = ({ received_at, id, kind, from, subject, snippet }: Reply): string =>
  [`${received_at} UTC`, `${kind} ${id}`, from, subject, snippet].filter((part) => part !== '').join('  ');

async function execute(command: string, reply: Reply, isJson: boolean): Promise<void> {
  const failure = await pipeToCommand(command, `${JSON.stringify(reply)}\n`, isJson ? 'stderr' : 'stdout');
  if (failure !== null) say(`reply ${reply.id}: the command of --exec ${failure}`);
}
