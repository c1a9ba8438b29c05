import { describe, expect, it } from 'vitest';
import { polledFolders } from '../../src/inbound/folders.ts';

const folder = (path: string, specialUse?: string) => ({ path, specialUse: specialUse ?? '' });

describe('C1.9: the folders that are polled', () => {
  it('are INBOX and the folder for spam, and on servers with one the folder for all mail', () => {
    expect(polledFolders([folder('INBOX', '\\Inbox'), folder('Spam', '\\Junk'), folder('Sent', '\\Sent')], [])).toEqual(['INBOX', 'Spam']);
    const gmail = [folder('INBOX'), folder('[Gmail]/All Mail', '\\All'), folder('[Gmail]/Spam', '\\Junk')];
    expect(polledFolders(gmail, [])).toEqual(['INBOX', '[Gmail]/Spam', '[Gmail]/All Mail']);
  });

  it('and those that the account names, where they exist, each once', () => {
    const listed = [folder('INBOX'), folder('Archive'), folder('Spam', '\\Junk')];
    expect(polledFolders(listed, ['Archive', 'Spam', 'Gone'])).toEqual(['INBOX', 'Spam', 'Archive']);
  });
});
