// Writes the --help of every command to docs/cli.md. With `--check` it writes nothing, and fails if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config, Help } from '@oclif/core';

process.env.NODE_ENV ??= 'production';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs/cli.md');

/** The current content of docs/cli.md. */
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
trace. \`outreach autocomplete\` sets up completion for your shell.

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
