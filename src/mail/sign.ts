import type { DkimSigner } from './dkim.ts';
import { dkimSigned } from './nodemailer.ts';

/** RFC 6376 §5.4.1, and what RFC 8058 §4 wants covered; fields that an email lacks are left out. */
const SIGNED_FIELDS = [
  ...['From', 'To', 'Subject', 'Date', 'Message-ID', 'Reply-To', 'In-Reply-To', 'References'],
  ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
];
const SIGNATURE = Buffer.from('DKIM-Signature:');

/** Signs a message: a DKIM-Signature field before it (rsa-sha256, relaxed/relaxed). Throws when the key can't sign. */
export async function signMessage(message: Buffer, signer: DkimSigner): Promise<Buffer> {
  const signed = await dkimSigned(message, signer, SIGNED_FIELDS);
  if (!signed.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error("can't sign with the DKIM key");
  return signed;
}
