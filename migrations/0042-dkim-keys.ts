import { Migration } from '@mikro-orm/migrations';

/** Several DKIM keys for each account: Ed25519 beside RSA (RFC 8463), and the former keys that sign on while DNS learns the new ones. */
export class DkimKeys0042 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      update accounts set dkim = jsonb_build_array(dkim || '{"algorithm": "rsa", "until": null}') where jsonb_typeof(dkim) = 'object';
    `);
  }

  override down(): void {
    // The sealed keys are in the same order, and of several PEM blocks the first is read.
    this.addSql(`update accounts set dkim = (dkim -> 0) - 'algorithm' - 'until' where jsonb_typeof(dkim) = 'array'`);
  }
}
