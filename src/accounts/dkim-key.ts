import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { App } from '../app.ts';
import { conflict, messageOf } from '../core/errors.ts';
import type { DkimKey, DkimSigner } from '../mail/dkim.ts';
import { SEALED } from '../secrets/sealed-columns.ts';

const PEM_BLOCK = /-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n?/g;

/** The columns of an account that hold its DKIM keys: the public parts, and the private keys in the same order, sealed as one text. */
export interface DkimColumns {
  dkim: readonly DkimKey[] | null;
  dkim_secret: string | null;
}

/** Seals private keys for the account's row. They can't be opened for another row. */
export function sealDkimKeys(app: Pick<App, 'sealer'>, accountId: number, keys: readonly KeyObject[]): string {
  const pem = keys.map((key) => key.export({ type: 'pkcs8', format: 'pem' }).toString()).join('');
  return app.sealer.seal(pem, SEALED.dkimSecret.place(accountId));
}

/** Opens the DKIM keys of an account, in the order of `dkim`. Throws `conflict` if they can't be decrypted. */
export function openDkimKeys(app: Pick<App, 'sealer'>, row: DkimColumns & { id: number }): (DkimKey & DkimSigner)[] {
  if (row.dkim === null || row.dkim_secret === null) return [];
  try {
    const blocks = app.sealer.open(row.dkim_secret, SEALED.dkimSecret.place(row.id)).match(PEM_BLOCK) ?? [];
    return row.dkim.map((key, index) => ({ ...key, privateKey: createPrivateKey(blocks[index] ?? '') }));
  } catch (error) {
    throw conflict(`the DKIM key of account ${row.id} can't be decrypted: ${messageOf(error)}`);
  }
}

/** Returns the keys that now sign an account's emails; empty without DKIM. Throws `conflict` if they can't be decrypted. */
export const openDkim = (app: Pick<App, 'sealer' | 'clock'>, row: DkimColumns & { id: number }): DkimSigner[] =>
  openDkimKeys(app, row).filter(({ until }) => until === null || Date.parse(until) > app.clock.now().getTime());
