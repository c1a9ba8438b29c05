// outreach(1) and a page for each command, such as outreach-campaign-show(1), from the commands' own metadata.
import { Config } from '@oclif/core';
import { bold, entry, head, literal, placeholder, roff } from './roff.js';

/** The manual pages of the built program in that folder by their names: `outreach` with all commands, and one for each command. */
export async function commandsPages(root) {
  process.env.NODE_ENV ??= 'production';
  const config = await Config.load({ root, userPlugins: false, devPlugins: false });
  const commands = config.commands
    .filter(({ hidden, pluginName }) => !hidden && pluginName === config.name)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const pages = commands.map((command) => [`${config.bin}-${command.id.replaceAll(':', '-')}`, commandPage(command, config.bin)]);
  return new Map([['outreach', wholePage(config, commands)], ...pages]);
}

function wholePage(config, commands) {
  const shared = commands.flatMap(({ flags }) => Object.values(flags)).filter(isShared);
  const common = [...new Map(shared.map((flag) => [flag.name, flag])).values()];
  return `${head('outreach', 1, 'multi-step email campaigns from your own accounts')}
.SH SYNOPSIS
.B outreach
${placeholder('command')} [${placeholder('argument')} ...] [${placeholder('option')} ...]
.SH DESCRIPTION
${roff(config.pjson.description)}.
.PP
Commands that root runs act as the owner of the data directory.
.SH COMMANDS
${commands.map((command) => section(command, config.bin)).join('\n')}
.SH COMMON OPTIONS
${common.map(option).join('\n')}
${FURTHER}`;
}

/** The page of one command, with the options that it shares with others. */
function commandPage(command, bin) {
  const [summary = ''] = (command.description ?? '').replaceAll('<%= config.bin %>', bin).split('\n\n');
  const common = Object.values(command.flags).filter(isShared);
  return [
    head(`${bin}-${command.id.replaceAll(':', '-')}`, 1, summary.replaceAll('\n', ' ')),
    `.SH DESCRIPTION\n${section(command, bin)}`,
    ...(common.length === 0 ? [] : [`.SH COMMON OPTIONS\n${common.map(option).join('\n')}`]),
    `.SH SEE ALSO\n.BR outreach (1)\n`,
  ].join('\n');
}

const FURTHER = `.SH EXIT STATUS
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

const isShared = ({ helpGroup }) => helpGroup === 'GLOBAL';

function section({ id, description = '', args, flags, examples = [] }, bin) {
  const filled = (text) => text.replaceAll('<%= config.bin %>', bin);
  const [summary = '', ...paragraphs] = filled(description).split('\n\n');
  const words = Object.values(args).map(({ name, required }) => (required ? placeholder(name) : `[${placeholder(name)}]`));
  const own = Object.values(flags).filter((flag) => !isShared(flag));
  const lines = examples.flatMap((example) => filled(typeof example === 'string' ? example : example.command).split('\n'));
  return [
    `.SS ${[bold(`${bin} ${id.replaceAll(':', ' ')}`), ...words].join(' ')}`,
    [`${roff(summary)}.`, ...paragraphs.map(roff)].join('\n.PP\n'),
    ...Object.values(args).map(({ name, description: text = '' }) => entry(placeholder(name), roff(text))),
    ...own.map(option),
    ...(lines.length === 0 ? [] : [`.PP\nExamples:\n${literal(lines)}`]),
  ].join('\n');
}

function option({ name, char, type, allowNo, helpValue, options, description = '', default: byDefault }) {
  const names = [...(char === undefined ? [] : [bold(`-${char}`)]), bold(`--${name}`), ...(allowNo ? [bold(`--no-${name}`)] : [])].join(
    ', ',
  );
  const value = type === 'boolean' ? '' : ` ${placeholder(options?.join('|') ?? helpValue ?? 'VALUE')}`;
  const defaults = type !== 'boolean' && ['string', 'number'].includes(typeof byDefault) ? ` (default: ${byDefault})` : '';
  return entry(`${names}${value}`, roff(`${description}${defaults}`));
}
