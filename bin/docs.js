// Writes the --help of every command to docs/cli.md. With `--check` it writes nothing, and fails if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config, Help } from '@oclif/core';

process.env.NODE_ENV ??= 'production';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs/cli.md');

/** Renders the current content of docs/cli.md. */
export async function renderReference() {
  const config = await Config.load({ root, userPlugins: false, devPlugins: false });
  const help = new Help(config, { stripAnsi: true, maxWidth: 100 });
  const commands = config.commands
    .filter(({ hidden, pluginName }) => !hidden && pluginName === config.name)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const sections = commands.map((command) => {
    const text = help.formatCommand(command);
    return `## outreach ${command.id.replaceAll(':', ' ')}\n\n\`\`\`text\n${text.replaceAll(/[ \t]+$/gm, '').trim()}\n\`\`\`\n`;
  });
  return `# Commands

This page contains the \`--help\` of every command; \`npm run docs\` generates it. [settings.md](settings.md) describes the settings
that all commands read.

With \`--json\`, a command prints one JSON document on stdout and nothing else. The exit status is 0 for success, 1 for failure, 2 for
wrong usage, and 130 after Ctrl-C (the daemon drains and exits with 0). An error is one line on stderr; \`--debug\` adds its stack
trace. \`outreach completion\` prints the script that completes commands and names in your shell.

## Where a command works

Commands with \`--url\` work on a server, with the rights of an API key, or on an installation of this machine, as its operator.
Both print the same. The first of these decides:

1. \`--url\` and \`--key\` name a server; \`--data-dir\` and \`--workspace\` name an installation of this machine. They can't be
   combined: a key works in its own workspace.
2. \`OUTREACH_URL\` names a server, \`OUTREACH_DATA_DIR\` an installation. With both, it is the server.
3. \`outreach login\` has stored a server and a key. \`OUTREACH_API_KEY\` replaces the stored key, which is sent to no other server.
4. Otherwise it is the installation in the default data directory.

On an installation of this machine, commands work in the workspace of \`--workspace\`, then of \`OUTREACH_WORKSPACE\`, then in the one that
\`outreach workspace use\` chose, otherwise in the default one. What was not found there is looked for in the others, and the message says
where it is. The commands that messages tell to run have the flags of the command that printed them.

\`outreach whoami\` shows which one it is. The other commands need the machine of the installation.

## Times

A time without a zone is in the zone of the campaign that the command is about, otherwise of the workspace: \`2026-12-01\`, which is its
midnight, \`"2026-12-01 09:00"\`, \`"tomorrow 9:00"\`, \`monday\`, \`9:00\`. \`7d\`, \`6h\`, \`30m\` and \`2w\` count from now: back for what has
happened (\`--since\`), ahead for what is planned (\`--at\`). With a zone, times are as in the API: \`2026-12-01T09:00:00Z\`.

## Lists, names and questions

Commands that print a list show the first 50 rows: \`--limit\` changes that, \`--all\` shows every one, \`--columns\` chooses fields,
and \`--csv\` prints CSV. The name of a campaign, an account, a list or a template works wherever its id does, if only one has it;
a number is always an id. \`--yes\` answers every question. Without a terminal, a command that would ask fails.

${sections.join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reference = await renderReference();
  const isStale = readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== reference;
  if (isStale && process.argv.includes('--check')) {
    console.error('docs/cli.md is out of date; run: npm run docs');
    process.exit(1);
  }
  if (isStale) writeFileSync(file, reference);
}
