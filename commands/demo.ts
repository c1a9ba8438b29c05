import { Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { canMoveCursor, say } from '../src/cli/terminal.ts';
import { programName } from '../src/core/config.ts';
import { OutreachError } from '../src/core/errors.ts';

export default class Demo extends OutreachCommand {
  static override description = `Run a whole campaign in two minutes

Starts a temporary installation with its own mail servers and sends up to three emails each to 200 simulated contacts, who open, click, \
reply, bounce, unsubscribe or are out of office while days pass in seconds. At a terminal it opens the dashboard; press q to quit. No \
email leaves this machine, and everything is deleted at the end. With --keep it runs until you quit, so that you can look around.`;
  static override examples = ['<%= config.bin %> demo', '<%= config.bin %> demo --keep', '<%= config.bin %> demo --seconds 60 --plain'];
  static override flags = {
    contacts: Flags.integer({ description: 'number of simulated contacts', default: 200, min: 10, max: 5_000, helpValue: 'N' }),
    keep: Flags.boolean({ description: 'keep it running after the campaign, until q or Ctrl-C' }),
    plain: Flags.boolean({ description: 'print progress instead of opening the dashboard' }),
    seconds: Flags.integer({
      description: 'how long the nine days of the campaign should take',
      default: 110,
      min: 20,
      max: 3_600,
      helpValue: 'N',
    }),
  };

  async run() {
    const { flags } = await this.parse(Demo);
    const isPlain = flags.plain || this.jsonEnabled() || !process.stdin.isTTY || !process.stdout.isTTY || !canMoveCursor();
    const [{ runDemo }, { createApi, showDashboard }] = await Promise.all([
      import('../src/demo/run.ts'),
      import('../src/dashboard/index.tsx'),
    ]);
    const ended = new AbortController();
    const end = () => ended.abort();
    // A closed terminal sends SIGHUP twice; the second must not interrupt the cleanup.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
    const over = new AbortController();
    let screen: Promise<void> | undefined;
    say('Starting PostgreSQL, an SMTP and an IMAP server, and the daemon …');
    try {
      const report = await runDemo({
        ...flags,
        signal: ended.signal,
        onRunning: (address) => {
          if (!isPlain) screen = showDashboard(createApi(address), over.signal).then(end, end);
        },
        onKept: flags.keep
          ? ({ url, key }) => {
              if (!isPlain) return;
              say('The campaign is completed. Look around from another terminal, until Ctrl-C here:');
              say(`OUTREACH_URL=${url} OUTREACH_API_KEY=${key} ${programName()} campaign list`);
            }
          : undefined,
        onProgress: ({ now, stats }) => {
          if (isPlain) say(`${now} UTC  ${PROGRESS.map((name) => `${name} ${stats[name]}`).join('  ')}`);
        },
      }).finally(async () => {
        over.abort();
        await screen;
      });
      this.log(summary(report));
      if (report.isComplete && !report.addsUp)
        throw new OutreachError('internal_error', 'the counts differ from what the contacts did; please report this with the lines above');
      return report;
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end);
    }
  }
}

const PROGRESS = ['sent', 'opened', 'clicked', 'replied', 'bounced'] as const;

function summary({ lines, isComplete }: { lines: { what: string; did: number; counted: number }[]; isComplete: boolean }): string {
  const width = Math.max(...lines.map(({ what }) => what.length));
  const rows = lines.map(({ what, did, counted }) => `  ${what.padEnd(width)}  ${String(did).padStart(8)}  ${String(counted).padStart(8)}`);
  return [
    isComplete ? 'The campaign is completed. What happened, and what Outreach counted:' : 'The demo was ended early. So far:',
    ...(isComplete ? [] : ['(Counts lag behind: the mailbox is polled once an hour of the demo.)']),
    '',
    `  ${''.padEnd(width)}  ${'happened'.padStart(8)}  ${'counted'.padStart(8)}`,
    ...rows,
    '',
    'The installation of the demo and its emails are deleted.',
    '',
    ...nextSteps(),
  ].join('\n');
}

/** The commands to run next, as they are typed here. */
function nextSteps(): string[] {
  const program = programName();
  const steps = [
    [program === 'outreach' ? 'outreach start' : 'npm start', 'start your own installation'],
    [`${program} account connect you@example.com`, 'connect an account; see --help'],
    [`${program} contact import people.csv --list L`, 'import contacts'],
    [`${program} campaign create NAME --account A`, 'create a campaign'],
    [`${program} campaign activate NAME`, 'start sending'],
    [`${program} --help`, 'list every command'],
  ] as const;
  const width = Math.max(...steps.map(([command]) => command.length));
  const lines = steps.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`);
  return ['Next steps:', ...lines, '', 'docs/tutorial.md leads you through your first campaign in ten minutes.'];
}
