// Reads the settings from docs/settings.md, which a test compares with the settings module, for the settings file and its manual page.

/**
 * Reads the table of settings.
 * @returns one entry per row: names in outreach.toml, environment variables, the default and the meaning, still in Markdown
 */
export function readSettings(page) {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  return rows.slice(1).map((row) => {
    const [names, variables, byDefault, meaning] = row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { names: inCode(names), variables: inCode(variables), byDefault, meaning };
  });
}

const inCode = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

/** Converts Markdown to plain text. Links become their text. */
const plain = (markdown) => markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');

/** Returns the settings file of a new installation: the data directory, and every other setting in a comment. */
export function settingsFile(settings) {
  const entries = settings.map(({ names, byDefault, meaning }) => {
    const values = byDefault.split(', ');
    const lines = names.map((name, index) => `#${name} = ${tomlValue(values[index] ?? values[0])}`);
    return `${comment(plain(meaning))}\n${lines.join('\n')}\n`;
  });
  return `# Settings of Outreach; outreach.toml(5) describes them. Restart the service after a change: systemctl restart outreach
# This file may contain passwords: only root and the group outreach can read it.

# The service can write only here; a directory elsewhere also needs ReadWritePaths= in the unit.
data_dir = "/var/lib/outreach"

${entries.join('\n')}`;
}

/** Formats a default as TOML. If it is not a plain value, returns an empty string for the reader to fill in. */
function tomlValue(byDefault) {
  const [, value] = /^`([^`]+)`$/.exec(byDefault) ?? [];
  if (value === undefined || /[A-Z]{4}/.test(value)) return '""';
  return /^(\d+|true|false)$/.test(value) ? value : JSON.stringify(value);
}

function comment(text, width = 100) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > width - 2) lines.push('');
    lines[lines.length - 1] = `${lines.at(-1)} ${word}`;
  }
  return lines.map((line) => `#${line}`).join('\n');
}
