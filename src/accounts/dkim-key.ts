import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { App } from '../app.ts';
import { conflict, messageOf } from '../core/errors.ts';
import type { DkimSetting, DkimSigner } from '../mail/dkim.ts';
import { SEALED } from '../secrets/sealed-columns.ts';

/** Seals a key for the account's row: it can't be opened for another. */
export const sealDkimKey = (app: Pick<App, 'sealer'>, accountId: number, key: KeyObject): string =>
  app.sealer.seal(key.export({ type: 'pkcs8', format: 'pem' }).toString(), SEALED.dkimSecret.place(accountId));

/** Opens the DKIM key of an account; null without one. Throws `conflict` if it can't be decrypted. */
export function openDkim(
  app: Pick<App, 'sealer'>,
  row: { id: number; dkim: DkimSetting | null; dkim_secret: string | null },
): DkimSigner | null {
  if (row.dkim === null || row.dkim_secret === null) return null;
  try {
    const privateKey = createPrivateKey(app.sealer.open(row.dkim_secret, SEALED.dkimSecret.place(row.id)));
    return { domain: row.dkim.domain, selector: row.dkim.selector, privateKey };
  } catch (error) {
    throw conflict(`the DKIM key of account ${row.id} can't be decrypted: ${messageOf(error)}`);
  }
}
