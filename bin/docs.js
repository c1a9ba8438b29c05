// Renders the --help of every command into docs/cli.md; `--check` writes nothing and fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config, Help } from '@oclif/core';

process.env.NODE_ENV ??= 'production';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs/cli.md');

/** The reference as it must be now. */
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
  return `# The command line

Every command, as its \`--help\` has it; \`npm run docs\` writes this page. Settings that all of them read are in
[settings.md](settings.md).

With \`--json\` a command prints one JSON document on stdout and nothing else there. Exit status: 0 done, 1 failed, 2 wrong
usage, 130 ended by Ctrl-C (the daemon drains and ends with 0). An error is one line on stderr; \`--debug\` adds its stack.
\`outreach autocomplete\` sets up completion for your shell.

${sections.join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reference = await renderReference();
  const isStale = readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== reference;
  if (isStale && process.argv.includes('--check')) {
    console.error('docs/cli.md is stale; run: npm run docs');
    process.exit(1);
  }
  if (isStale) writeFileSync(file, reference);
}
