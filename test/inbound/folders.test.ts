import { describe, expect, it } from 'vitest';
import { polledFolders } from '../../src/mail/polled-folders.ts';

const folder = (path: string, specialUse = '', ...flags: string[]) => ({ path, specialUse, flags: new Set(flags) });
const folders = [folder('INBOX', '\\Inbox'), folder('Archive'), folder('Spam', '\\Junk'), folder('Sent', '\\Sent')];
const server = { folders, prefix: '', delimiter: '/' };

describe('C1.9: the folders that are polled beside INBOX', () => {
  it('are the folder for spam, and on servers with one the folder for all mail', () => {
    expect(polledFolders(server, []).paths).toEqual(['Spam']);
    const gmail = [folder('INBOX'), folder('[Gmail]/All Mail', '\\All'), folder('[Gmail]/Spam', '\\Junk')];
    expect(polledFolders({ ...server, folders: gmail }, []).paths).toEqual(['[Gmail]/Spam', '[Gmail]/All Mail']);
  });

  it('and those that the account names, where they exist, each once; the others are told', () => {
    expect(polledFolders(server, ['Archive', 'Spam', 'inbox', 'Gone'])).toEqual({ paths: ['Spam', 'Archive'], absent: ['Gone'] });
  });

  it('and none that can’t be opened', () => {
    const closed = [folder('INBOX'), folder('Junk', '\\Junk', '\\Noselect'), folder('Team', '', '\\NonExistent')];
    expect(polledFolders({ ...server, folders: closed }, ['Team'])).toEqual({ paths: [], absent: ['Team'] });
  });

  it('by the names that people see, in the namespace of the server and with its separator', () => {
    const courier = [folder('INBOX'), folder('INBOX.Archive'), folder('INBOX.Team.North'), folder('Sales, EU')];
    const inNamespace = { folders: courier, prefix: 'INBOX.', delimiter: '.' };
    expect(polledFolders(inNamespace, ['Archive', 'Team/North', 'INBOX.Team.North', 'Sales, EU'])).toEqual({
      paths: ['INBOX.Archive', 'INBOX.Team.North', 'Sales, EU'],
      absent: [],
    });
  });

  it('a name with commas, written without quotes, is the folder of that name', () => {
    const commas = {
      ...server,
      folders: [folder('Sales, EU'), folder('Sales'), folder('INBOX.R,D, west'), folder('Archive')],
      prefix: 'INBOX.',
    };
    expect(polledFolders(commas, ['Archive', 'Sales', 'EU', 'R', 'D', 'west'])).toEqual({
      paths: ['Archive', 'Sales, EU'],
      absent: ['R', 'D', 'west'],
    });
    expect(polledFolders(commas, ['EU', 'Sales'])).toEqual({ paths: ['Sales'], absent: ['EU'] });
  });
});
