// outreach(1), and a page for each command, such as outreach-account-connect(1), from the commands' own metadata.
import { Config } from '@oclif/core';
import { bold, entry, head, literal, placeholder, roff } from './roff.js';

/** Returns the manual pages of the built program in that folder, by name. */
export async function commandPages(root) {
  process.env.NODE_ENV ??= 'production';
  const config = await Config.load({ root, userPlugins: false, devPlugins: false });
  const commands = config.commands
    .filter(({ hidden, pluginName }) => !hidden && pluginName === config.name)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return new Map([
    [config.bin, programPage(config, commands)],
    ...commands.map((command) => [pageName(command, config.bin), commandPage(command, config.bin)]),
  ]);
}

const pageName = ({ id }, bin) => `${bin}-${id.replaceAll(':', '-')}`;

function programPage({ bin, pjson }, commands) {
  const list = commands.map((command) => entry(`.BR ${roff(pageName(command, bin))} (1)`, roff(`${summaryOf(command)}.`)));
  return `${head(bin, 1, 'multi-step email campaigns from your own accounts')}
.SH SYNOPSIS
.B ${bin}
${placeholder('command')} [${placeholder('argument')} ...] [${placeholder('option')} ...]
.SH DESCRIPTION
${roff(pjson.description)}.
.PP
Commands that root runs act as the owner of the data directory.
.SH COMMANDS
${list.join('\n')}
.SH EXIT STATUS
${entry(bold('0'), 'Success.')}
${entry(bold('1'), 'Failure. An error is one line on standard error.')}
${entry(bold('2'), 'Wrong usage.')}
${entry(bold('130'), 'Ctrl\\-C.')}
.SH FILES
${entry(bold('/etc/outreach/outreach.toml'), 'The settings.')}
${entry(bold('/var/lib/outreach'), 'The data directory: the secret, the embedded PostgreSQL.')}
${entry(bold('/usr/share/doc/outreach/docs'), 'The documentation.')}
.SH SEE ALSO
.BR outreach.toml (5)
`;
}

function commandPage(command, bin) {
  const { id, description = '', args, flags, examples = [] } = command;
  const filled = (text) => text.replaceAll('<%= config.bin %>', bin);
  const [, ...paragraphs] = filled(description).split('\n\n');
  const words = Object.values(args).map(({ name, required }) => (required ? placeholder(name) : `[${placeholder(name)}]`));
  const [common, own] = [true, false].map((shared) => Object.values(flags).filter((flag) => (flag.helpGroup === 'GLOBAL') === shared));
  const lines = examples.flatMap((example) => filled(typeof example === 'string' ? example : example.command).split('\n'));
  const part = (heading, texts) => (texts.length === 0 ? [] : [`.SH ${heading}\n${texts.join('\n')}`]);
  return `${[
    head(pageName(command, bin), 1, summaryOf(command)),
    `.SH SYNOPSIS\n${[bold(`${bin} ${id.replaceAll(':', ' ')}`), ...words, `[${placeholder('option')} ...]`].join(' ')}`,
    ...part('DESCRIPTION', [paragraphs.map(roff).join('\n.PP\n')].filter(Boolean)),
    ...part(
      'ARGUMENTS',
      Object.values(args).map(({ name, description: text = '' }) => entry(placeholder(name), roff(text))),
    ),
    ...part('OPTIONS', own.map(option)),
    ...part('COMMON OPTIONS', common.map(option)),
    ...part('EXAMPLES', lines.length === 0 ? [] : [literal(lines)]),
    '.SH SEE ALSO\n.BR outreach (1)',
  ].join('\n')}\n`;
}

const summaryOf = ({ description = '' }) => description.split('\n\n')[0];

function option({ name, char, type, allowNo, helpValue, options, description = '', default: byDefault }) {
  const names = [...(char === undefined ? [] : [bold(`-${char}`)]), bold(`--${name}`), ...(allowNo ? [bold(`--no-${name}`)] : [])].join(
    ', ',
  );
  const value = type === 'boolean' ? '' : ` ${placeholder(options?.join('|') ?? helpValue ?? 'VALUE')}`;
  const defaults = type !== 'boolean' && ['string', 'number'].includes(typeof byDefault) ? ` (default: ${byDefault})` : '';
  return entry(`${names}${value}`, roff(`${description}${defaults}`));
}
