import { describe, expect, it } from 'vitest';
import { copyDelayOf } from '../../src/accounts/sent-copy.ts';
import { MINUTE } from '../../src/core/clock.ts';

describe('a provider that files copies itself', () => {
  const delay = (smtp: string, imapHost: string, rest = {}) =>
    copyDelayOf({ sent_copy: 'auto', server_files_sent: null, smtp: { host: smtp }, imap: { host: imapHost }, ...rest });

  it.each([
    ['smtp.gmail.com', 'imap.gmail.com'],
    ['SMTP.office365.com', 'outlook.office365.com'],
    ['smtp-mail.outlook.com', 'outlook.office365.com'],
  ])('%s and %s: by its hosts, unless a person wants copies all the same', (smtp, imapHost) => {
    expect(delay(smtp, imapHost)).toBeNull();
    expect(delay(smtp, imapHost, { sent_copy: 'append' })).toBe(0);
    // A relay of somebody else's has no Sent folder there.
    expect(delay('smtp.relay.example', imapHost)).toBe(MINUTE);
    expect(delay(smtp, 'imap.example.com')).toBe(MINUTE);
  });
});
