// outreach.toml(5).
import { bold, entry, fromMarkdown, head, literal, roff } from './roff.js';

/** The manual page of the settings that `readSettings` gives. */
export function settingsPage(settings) {
  const entries = settings.map(({ names, variables, byDefault, meaning }) =>
    entry(
      names.map(bold).join(', '),
      `${fromMarkdown(sentence(meaning))}\n.br\nDefault: ${fromMarkdown(byDefault)}. Environment: ${variables.map(roff).join(', ')}.`,
    ),
  );
  return `${head('outreach.toml', 5, 'settings of Outreach')}
.SH SYNOPSIS
${bold('/etc/outreach/outreach.toml')}
.SH DESCRIPTION
The file is in TOML. A flag of a command wins over the environment, the environment over this file, this file over
.B outreach.toml
in the data directory, and that over the default. An unknown or malformed setting stops the start with an error that names it.
.PP
The daemon reads the file when it starts. Others than root and the group
.B outreach
must not be able to read it if it holds a password or a secret; nothing starts otherwise.
.PP
With
.B OUTREACH_DATA_DIR
or
.B \\-\\-data\\-dir
this file is not read;
.B OUTREACH_SETTINGS_FILE
names another.
.SH SETTINGS
${entry(bold('data_dir'), `Absolute path of the directory of the secret and the embedded PostgreSQL.\n.br\nDefault: ${bold('/var/lib/outreach')} for root.`)}
${entries.join('\n')}
.SH EXAMPLE
${literal(['data_dir = "/var/lib/outreach"', 'base_url = "https://outreach.example.com"', 'trusted_proxies = "127.0.0.1"', 'database_url = "postgres://outreach:PASSWORD@db.example.com/outreach?sslmode=verify-full"'])}
.SH FILES
${entry(bold('/var/lib/outreach'), 'The data directory.')}
.SH SEE ALSO
.BR outreach (1)
`;
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
