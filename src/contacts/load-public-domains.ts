/** The list of mailbox providers, for who seldom asks it: loading it takes a third of the time in which Node starts. */
export const loadPublicDomains = () => import('./public-domain.ts');
