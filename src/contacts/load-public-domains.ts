/** Loads the list of mailbox providers on demand, for code that seldom needs it: loading it takes a third of Node's start time. */
export const loadPublicDomains = () => import('./public-domain.ts');
