export { decorateMail, type MailToDecorate } from './decorate.ts';
export { HitLog } from './hits.ts';
