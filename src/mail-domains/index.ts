export { lookUpProviders, receptionOf } from './look-up.ts';
export { providerOfDomain, wantProviders } from './mail-domains.ts';
export { type MailProvider, PROVIDER_NAMES, providerOfMx, publicName } from './provider.ts';
export type { MailLookups, Reception } from './reception.ts';
