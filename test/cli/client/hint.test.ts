import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withTarget } from '../../../src/cli/client/hint.ts';

const flags = { workspace: 'Acme Ltd', 'data-dir': '/srv/o', key: 'ork_secret' };
const ALL = '--data-dir /srv/o --workspace "Acme Ltd"';

it.each([
  ['Deleted; to undo, run: outreach trash restore campaigns 7', `Deleted; to undo, run: outreach trash restore campaigns 7 ${ALL}`],
  [
    'not activated; see: outreach campaign check 7, or pass --force',
    `not activated; see: outreach campaign check 7 ${ALL}, or pass --force`,
  ],
  ['paused; resume it with: outreach account resume 2.', `paused; resume it with: outreach account resume 2 ${ALL}.`],
  ['Next: outreach campaign enrol "Spring fair" --list LIST', `Next: outreach campaign enrol "Spring fair" --list LIST ${ALL}`],
  ['nothing to change; see: outreach list set --help', 'nothing to change; see: outreach list set --help'],
  ['run: outreach doctor', 'run: outreach doctor --data-dir /srv/o'],
  ['run: outreach list list --workspace 3', 'run: outreach list list --workspace 3 --data-dir /srv/o'],
  ['About outreach in general', 'About outreach in general'],
])('D3.4: hints "are built from the flags in force": %s', (message, hint) => expect(withTarget(message, flags)).toBe(hint));

it('Without flags a hint stays as it is', () => {
  expect(withTarget('run: outreach account resume 2', {})).toBe('run: outreach account resume 2');
});

const commands = globSync('commands/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
/** Returns the names of the commands with this base class. */
const commandsOf = (base: string): string[] =>
  commands
    .filter(({ text }) => text.includes(` extends ${base} {`))
    .map(({ path }) =>
      path
        .replace(/^commands\//, '')
        .replace(/(\/index)?\.ts$/, '')
        .replaceAll('/', ' '),
    );

it.each([...commandsOf('OutreachCommand')])('a command of the machine takes neither --url nor --workspace: %s', (words) => {
  expect(withTarget(`run: outreach ${words}`, { ...flags, url: 'https://o.example' })).toBe(`run: outreach ${words} --data-dir /srv/o`);
});

it.each([...commandsOf('BaseCommand')])('a command of the user alone takes no target: %s', (words) => {
  expect(withTarget(`run: outreach ${words} X`, flags)).toBe(`run: outreach ${words} X`);
});
