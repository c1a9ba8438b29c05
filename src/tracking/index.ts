export { decorateMail, type MailToDecorate } from './decorate.ts';
export { countHits, type HitCount } from './hit-counts.ts';
export { HitLog } from './hits.ts';
export { linkPath, readLink } from './token.ts';
