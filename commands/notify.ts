import { Flags } from '@oclif/core';
import { ClientCommand } from '../src/cli/client/client-command.ts';
import { type DesktopNotice, followNotices, showOnDesktop } from '../src/cli/client/notices.ts';
import { watch } from '../src/cli/client/watch.ts';
import { ringBell, say } from '../src/cli/terminal.ts';
import { conflict } from '../src/core/errors.ts';

export default class Notify extends ClientCommand {
  static override description = `Show new replies, accounts that need you and campaigns that end, until Ctrl-C

Prints a line for each and rings the bell of the terminal; with --desktop, shows it on the desktop too, with notify-send. It shows \
accounts that stop, reach their daily limit while emails wait, or change their health. Auto-replies are left out. \
For notices in Slack, Teams or Discord, run: outreach webhook add --format; for a daily email: outreach user set --daily-summary`;
  static override examples = [
    '<%= config.bin %> notify --desktop',
    '<%= config.bin %> notify --labels interested,meeting',
    '<%= config.bin %> notify --desktop --test',
  ];
  static override enableJsonFlag = false;
  static override flags = {
    desktop: Flags.boolean({ description: 'show each notice on the desktop' }),
    labels: Flags.string({
      description: 'only replies with one of these labels, separated by commas',
      helpValue: 'L',
    }),
    test: Flags.boolean({ description: 'show one notice as a test, and exit' }),
  };

  async run() {
    const { flags } = await this.parse(Notify);
    const tell = async (notice: DesktopNotice): Promise<string | null> => {
      this.logLine([notice.title, notice.text, notice.command].filter((part) => part !== '').join('  '));
      ringBell();
      return flags.desktop ? showOnDesktop(notice) : null;
    };
    if (flags.test) {
      const problem = await tell({ title: 'Outreach can reach you', text: 'This is a test.', command: 'outreach reply list' });
      if (problem !== null) throw conflict(problem);
      return;
    }
    const api = await this.client(flags);
    const reported = new Set<string>();
    const labels = flags.labels?.split(',').map((label) => label.trim()) ?? [];
    const showNotice = async (notice: DesktopNotice) => {
      const problem = await tell(notice);
      // Each reason is reported once, while notices continue as lines.
      if (problem !== null && !reported.has(problem)) say(`not shown on the desktop: ${problem}`);
      if (problem !== null) reported.add(problem);
    };
    await watch(this.server, (options) => followNotices(api, labels, options, showNotice));
  }
}
