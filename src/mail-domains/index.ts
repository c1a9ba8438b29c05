export { lookUpProviders, type MxLookups, systemMx } from './look-up.ts';
export { providerOfDomain, wantProviders } from './mail-domains.ts';
export { type MailProvider, PROVIDER_NAMES, providerOfMx, publicName } from './provider.ts';
