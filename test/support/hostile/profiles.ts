import { replaced, withoutFact } from './deviations.ts';
import type { ImapProfile } from './imap.ts';

const BASE = 'IMAP4rev1 AUTH=PLAIN SASL-IR ID NAMESPACE';

/**
 * IMAP servers as their documentation, their greetings and public bug reports show them: their capabilities, their folder names, and what
 * they are known to leave out or get wrong. Not every installation is like its profile.
 */
export const PROFILES: Readonly<Record<string, ImapProfile>> = {
  'Exchange and Microsoft 365': {
    greeting: '* OK The Microsoft Exchange IMAP4 service is ready. [QQBNADAA]',
    capability: 'IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS MOVE ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+',
    folders: { 'Junk Email': '\\HasNoChildren \\Junk', 'Sent Items': '\\HasNoChildren \\Sent' },
  },
  Gmail: {
    greeting: '* OK Gimap ready for requests',
    capability: `${BASE} UNSELECT IDLE QUOTA XLIST CHILDREN X-GM-EXT-1 UIDPLUS ENABLE MOVE CONDSTORE ESEARCH UTF8=ACCEPT LIST-EXTENDED LIST-STATUS LITERAL- SPECIAL-USE APPENDLIMIT=35651584`,
    folders: {
      '[Gmail]': '\\HasChildren \\Noselect',
      '[Gmail]/All Mail': '\\All \\HasNoChildren',
      '[Gmail]/Spam': '\\HasNoChildren \\Junk',
      '[Gmail]/Sent Mail': '\\HasNoChildren \\Sent',
    },
    deviations: [replaced('EXAMINE', /(\* 0 RECENT)/, '$1\r\n* OK [HIGHESTMODSEQ 4711] Highest')],
  },
  Yahoo: {
    capability: `${BASE} UNSELECT IDLE XAPPLEPUSHSERVICE AUTH=XOAUTH2 MOVE UIDPLUS LITERAL+ CHILDREN X-MSG-EXT OBJECTID PARTIAL`,
    folders: { 'Bulk Mail': '\\Junk \\HasNoChildren', Sent: '\\Sent \\HasNoChildren' },
  },
  iCloud: {
    capability:
      'XAPPLEPUSHSERVICE IMAP4 IMAP4rev1 SASL-IR AUTH=ATOKEN AUTH=PLAIN ENABLE CONDSTORE QRESYNC UIDPLUS IDLE XLIST ESEARCH UNSELECT',
    folders: { Junk: '\\HasNoChildren', 'Sent Messages': '\\HasNoChildren' },
  },
  // AWS: HIGHESTMODSEQ does not change.
  WorkMail: {
    capability: `${BASE} UIDPLUS UNSELECT IDLE CONDSTORE MOVE`,
    folders: { 'Junk E-mail': '\\Junk', 'Sent Items': '\\Sent' },
    deviations: [
      replaced('EXAMINE', /(\* 0 RECENT)/, '$1\r\n* OK [HIGHESTMODSEQ 1] Highest'),
      replaced('STATUS', /\)\r/, ' HIGHESTMODSEQ 1)\r'),
    ],
  },
  // Netease and Tencent: no UIDNEXT, or in STATUS only.
  '163': {
    greeting: '* OK Coremail System IMap Server Ready(163com)',
    capability: 'IMAP4rev1 XLIST SPECIAL-USE ID LITERAL+ STARTTLS APPENDLIMIT=71680000 XAPPLEPUSHSERVICE UIDPLUS X-CM-EXT-1',
    folders: { '&V4NXPpCuTvY-': '\\Junk', '&XfJT0ZAB-': '\\Sent' },
    deviations: [withoutFact('UIDNEXT', 'EXAMINE', 'SELECT', 'STATUS')],
  },
  QQ: {
    greeting: '* OK [CAPABILITY IMAP4 IMAP4rev1 ID AUTH=PLAIN AUTH=LOGIN AUTH=XOAUTH2 NAMESPACE] QQMail XMIMAP4Server ready',
    capability: 'IMAP4 IMAP4rev1 XLIST MOVE IDLE XAPPLEPUSHSERVICE NAMESPACE CHILDREN ID UIDPLUS',
    folders: { Junk: '\\HasNoChildren', 'Sent Messages': '\\HasNoChildren' },
  },
  Zoho: { capability: `${BASE} UNSELECT CHILDREN XLIST UIDPLUS IDLE SPECIAL-USE`, folders: { Spam: '\\Junk', Sent: '\\Sent' } },
  Yandex: {
    capability: `${BASE} CHILDREN UNSELECT LITERAL+ UIDPLUS XLIST SPECIAL-USE IDLE AUTH=XOAUTH2 MOVE`,
    delimiter: '|',
    namespace: '(("" "|")) NIL NIL',
    folders: { Spam: '\\Junk \\NoInferiors', Sent: '\\Sent' },
  },
  Naver: { capability: 'IMAP4rev1 AUTH=PLAIN ID UIDPLUS NAMESPACE', folders: { 'Junk Messages': '', 'Sent Messages': '' } },
  Courier: {
    greeting: '* OK [CAPABILITY IMAP4rev1 UIDPLUS CHILDREN NAMESPACE ACL QUOTA IDLE] Courier-IMAP ready.',
    capability: 'IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=REFERENCES SORT QUOTA IDLE ACL',
    namespace: '(("INBOX." ".")) NIL (("#shared." "."))',
    delimiter: '.',
    folders: { 'INBOX.Junk': '\\HasNoChildren', 'INBOX.Sent': '\\HasNoChildren' },
    deviations: [withoutFact('UIDNEXT', 'EXAMINE', 'SELECT')],
  },
  Cyrus: {
    capability: `${BASE} LITERAL+ UIDPLUS MAILBOX-REFERRALS UNSELECT CHILDREN LIST-EXTENDED SPECIAL-USE IDLE CONDSTORE QRESYNC ENABLE`,
    namespace: '(("INBOX." ".")) (("user." ".")) (("" "."))',
    delimiter: '.',
    folders: { 'INBOX.Junk': '\\Junk', 'INBOX.Sent': '\\Sent', user: '\\Noselect \\NonExistent' },
  },
  Dovecot: { folders: { Junk: '\\HasNoChildren \\Junk', Sent: '\\HasNoChildren \\Sent' } },
  hMailServer: {
    greeting: '* OK IMAPrev1',
    capability: 'IMAP4 IMAP4rev1 CHILDREN IDLE QUOTA SORT ACL NAMESPACE RIGHTS=texk',
    delimiter: '.',
    namespace: '(("" ".")) NIL (("#Public" "."))',
    folders: { Junk: '', Sent: '' },
  },
  Winmail: { capability: 'IMAP4rev1 AUTH=PLAIN UIDPLUS', folders: { Junk: '' }, deviations: [withoutFact('UIDNEXT', 'EXAMINE', 'SELECT')] },
  'Proton Bridge': {
    greeting: '* OK [CAPABILITY IDLE IMAP4rev1 MOVE STARTTLS UIDPLUS UNSELECT] Proton Mail Bridge ready',
    capability: 'AUTH=PLAIN ID IDLE IMAP4rev1 MOVE UIDPLUS UNSELECT',
    folders: { Folders: '\\Noselect \\HasChildren', 'All Mail': '\\All', Spam: '\\Junk', Sent: '\\Sent' },
  },
};
