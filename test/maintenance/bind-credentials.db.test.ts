import { beforeAll, describe, expect, it } from 'vitest';
import { openImap, openSmtp } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import { bindCredentials } from '../../src/maintenance/bind-credentials.ts';
import { SEALED } from '../../src/secrets/sealed-columns.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount } from '../support/rows.ts';

/** Credentials that an earlier version bound to their row alone are bound to their servers once, with the migration, and never after. */

const SERVER = { host: '127.0.0.1', port: 2525, secure: false, tls: 'off', user: 'zoe' };
let app: App;

beforeAll(async () => {
  ({ app } = await testInstallation());
});

/** An account as the first version sealed it. */
async function formerAccount(): Promise<number> {
  const server = JSON.stringify(SERVER);
  const id = await insertAccount(app, { smtp: server, imap: server });
  const [smtp, imap] = [SEALED.smtpSecret, SEALED.imapSecret].map(({ formerPlace }) => app.sealer.seal('{"pass":"x"}', formerPlace(id)));
  await app.db.query(sql`update accounts set smtp_secret = ${smtp}, imap_secret = ${imap} where id = ${id}`);
  return id;
}
const bind = () => app.db.bulk((tx) => bindCredentials(tx, app));

describe('credentials of an earlier version', () => {
  it('are not accepted before, and open after, for the server of their row alone', async () => {
    const id = await formerAccount();
    await expect(openSmtp(app, id)).rejects.toThrow("can't be decrypted");
    await expect(openImap(app, id)).rejects.toThrow("can't be decrypted");
    expect(await bind()).toBe(2);
    expect(await openSmtp(app, id)).toMatchObject({ pass: 'x' });
    expect(await openImap(app, id)).toMatchObject({ pass: 'x' });
    await app.db.query(sql`update accounts set smtp = smtp || '{"port": 9}' where id = ${id}`);
    await expect(openSmtp(app, id)).rejects.toThrow("can't be decrypted");
  });

  it('that somebody puts back beside a server of their own are never bound to it', async () => {
    const id = await formerAccount();
    expect(await bind()).toBe(0);
    await expect(openSmtp(app, id)).rejects.toThrow("can't be decrypted");
  });
});
