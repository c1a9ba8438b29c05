import type { MailLookups } from '../../src/mail-domains/index.ts';

const nothing = () => Promise.reject(Object.assign(new Error('no such record'), { code: 'ENODATA' }));

/** Name servers that know MX records, and no address. */
export const mxOnly = (resolveMx: MailLookups['resolveMx']): MailLookups => ({ resolveMx, resolve4: nothing, resolve6: nothing });
