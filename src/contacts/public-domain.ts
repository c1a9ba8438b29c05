import { group, PhraseList } from '../mail/phrases/phrase-table.ts';

/** First labels of the domains of mailbox providers. */
const PROVIDERS = new PhraseList([
  group('any', 'the providers themselves')`
    126
    163
    aol
    att
    comcast
    daum
    fastmail
    foxmail
    free
    freenet
    gmail
    gmx
    googlemail
    hanmail
    hotmail
    icloud
    libero
    live
    mac
    mail
    me
    msn
    naver
    orange
    outlook
    pm
    posteo
    proton
    protonmail
    qq
    rediffmail
    sina
    t-online
    tiscali
    verizon
    wanadoo
    web
    ya
    yahoo
    yandex
    ymail
    zoho
  `,
]);
const PUBLIC = new RegExp(`^${PROVIDERS.pattern}\\.`, 'iu');

/** True for the domain of a mailbox provider: people who share it have nothing to do with each other. */
export const isPublicDomain = (domain: string): boolean => PUBLIC.test(domain);
