import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** Local parts of addresses that mail servers send notices from. */
export const DAEMON_LOCAL_PARTS = new PhraseList([
  group('any', 'RFC 5321 §4.5.1 and RFC 2142 §5 (postmaster), with spellings seen in flufl-bounce')`
    post[-|\_]master
    postmast
  `,
  group('any', 'Sendmail, Postfix, qmail, Exim (mailer-daemon), MDaemon, Courier, Exchange (ndr), ezmlm; bounceparser')`
    [<letters>]smtp\_mail\_service
    autodelivery
    bounce[d|s]
    daemon
    delivery
    mail.delivery.(subsystem|system)
    mail[-](er|serv(er|ice))
    mail[-]daemon
    mail[-]delivery
    mail[-]router
    mail[-]system
    mailadmin
    mailer[-]daemon
    maileradmin
    mailnull
    mdaemon
    ndr
    non[-]delivery
    smtp
    system
    undeliverable
    uucp
  `,
]);

/** Display names of mail servers, as in `From: Mail Delivery System <…>`. */
export const DAEMON_NAMES = new PhraseTable([
  group('de', 'Exchange 5.5 and 2000')`
    systemadministrator
  `,
  group('en', 'Postfix, Exim: Mail Delivery System; Sendmail: Mail Delivery Subsystem; Exchange, GroupWise, MDaemon; flufl.bounce')`
    ^system$
    delivery [sub]system
    delivery status
    internet mail
    jetmail
    mail server
    mail transfer agent
    mail[er][ |-](admin|daemon|delivery|system)
    mailbox system
    message router
    microsoft (exchange|outlook)
    post[ ]master
    system administrator
  `,
  group('es', 'Exchange 5.5 and 2000')`
    administrador del sistema
  `,
  group('fr', 'Exchange 5.5 and 2000')`
    administrateur syst
  `,
  group('ru', 'Mail.ru and Yandex')`
    почтов
    систем[ы] доставки
  `,
  group('zh', 'Coremail, NetEase 163, QQ')`
    管理员
    退信
    邮件系统
  `,
]);

/** Local parts of addresses that a notice gives for help, not as the recipient. */
export const HELP_DESKS = new PhraseList([
  group('any', 'RFC 2142: mailbox names for common services, roles and functions')`
    abuse
    hostmaster
    noc
    postmaster
    security
    support
    webmaster
  `,
  group('any', 'addresses that providers name in notices; flufl.bounce, BounceParser')`
    admin[istrator]
    contact
    customer[<word>]
    help[desk]
    info[-]desk
    mailer[-]daemon
    root
    service
    spam[<word>]
    unblock[<word>]
  `,
]);

/** Local parts of list managers. */
export const LIST_MANAGERS = new PhraseList([
  group('any', 'LISTSERV, Majordomo, Mailman, Sympa, ezmlm, Lyris; RFC 2142 §6: -request')`
    [<word>]-(admin|bounces|confirm|help|owner|request)
    ezmlm
    listmaster
    listserv
    lyris
    mailman
    majordomo
    sympa
  `,
]);

/** Local parts of addresses that programs write from and nobody reads. */
export const ROBOTS = new PhraseList([
  group('any', 'Bugzilla, Jira, cron; Google Calendar; common practice')`
    alert[s]
    automat[<letters>]
    bot
    bug[s]
    bugzilla
    calendar-notification
    cron
    daemon
    do[-]not[-]reply
    jira
    no[-]reply
    nobody
    notification[s]
    owner
    robot
    root
  `,
]);

/** Services that notify everybody who follows something, by the header field `X-…` that only they set. */
export const SERVICES = new PhraseList([
  group('any', 'the services themselves; public mailing lists')`
    asana
    bugzilla
    circleci
    debbugs
    debian-pr
    dropbox
    facebook
    gerrit
    github
    gitlab
    google-code
    jenkins
    jira
    launchpad
    linkedin
    mantis
    meetup
    notion
    phabricator
    redmine
    slack
    sonar
    sourceforge
    syzbot
    trac
    travis
    trello
    twitter
  `,
]);
