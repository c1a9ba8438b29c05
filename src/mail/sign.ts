import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';
import type { DkimSigner } from './dkim.ts';

/** RFC 6376 §5.4.1, and what RFC 8058 §4 wants covered; fields that a mail does not have are left out. */
const SIGNED_FIELDS = [
  ...['From', 'To', 'Subject', 'Date', 'Message-ID', 'Reply-To', 'In-Reply-To', 'References'],
  ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':');

/** The message with a DKIM signature before it (rsa-sha256, relaxed/relaxed). Throws when the key can't sign. */
export async function signMessage(message: Buffer, { domain, selector, privateKey }: DkimSigner): Promise<Buffer> {
  const dkim = new DKIM({ domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_FIELDS });
  const signed = await buffer(dkim.sign(message));
  // The signer goes on without a word when the key is of no use.
  if (!signed.subarray(0, 15).equals(Buffer.from('DKIM-Signature:'))) throw new Error('the DKIM key can not sign');
  return signed;
}
