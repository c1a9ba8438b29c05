import { expect, it } from 'vitest';
import { hasPassword, type Servers } from '../../../src/cli/client/mail-servers.ts';

const servers = { smtp: { server: {}, password: undefined }, imap: { server: {}, password: undefined } } as unknown as Servers;

it.each([
  ['--smtp-password-file', { smtp: 'a file', imap: undefined }, true],
  ['--imap-password-file', { smtp: undefined, imap: 'a file' }, true],
  ['neither', { smtp: undefined, imap: undefined }, false],
])('"a password you give is used instead" of signing in, by any flag: %s', (_, files, isGiven) => {
  expect(hasPassword(servers, files)).toBe(isGiven);
});
