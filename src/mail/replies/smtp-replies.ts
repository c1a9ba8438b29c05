/**
 * What an answer of a mail server means for us, of the server we submit to and of the ones behind it (in bounces):
 * - `hard`: the recipient does not exist or is switched off for good
 * - `soft`: the recipient can't take mail now: mailbox full, too much mail
 * - `temp`: try again later
 * - `limit`: our mailbox sends more than its provider allows
 * - `account`: our mailbox may not send: login, suspension, no relaying
 * - `block`: this mail is unwanted: reputation, policy, authentication of our domain
 * - `message`: the mail itself is unacceptable: size, form, contents
 */
export type ReplyClass = 'hard' | 'soft' | 'temp' | 'limit' | 'account' | 'block' | 'message';

export interface Reply {
  /** Where in the session it came; `dsn` for the diagnostic of a bounce. */
  phase: 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dsn';
  code: number | null;
  /** RFC 3463 status such as `5.1.1`, where it is known apart from the text. */
  enhanced: string | null;
  text: string;
}

export interface ReplyVerdict {
  class: ReplyClass;
  /** The rule that decided, for logs and `mail classify`. */
  rule: string;
}

interface Rule {
  class: ReplyClass;
  /** Provider or subject, for people. */
  rule: string;
  text?: RegExp;
  enhanced?: RegExp;
  phases?: readonly Reply['phase'][];
  codes?: RegExp;
}

const OURS: readonly Reply['phase'][] = ['connect', 'auth', 'mail'];

/** Of the sender and its domain servers speak in the same words as of recipients. */
const SENDER_REFUSED =
  /\bsender (rejected|refused|denied)|sender (address|domain|verif\w+|e-?mail)( \S+){0,6} (reject|fail|invalid|not|unknown|does|unresolvable|could)|(unknown|invalid|unverified|unresolvable|bad) (sender|(rfc.?5321 )?from) |(complete|perform) sender verif|domain of sender|sender.s (e-?mail |mail )?(address|domain)|envelope sender|return path .{0,40}(invalid|not|reject)/i;

/**
 * Known answers, first match wins: text before code, the particular before the general. Sources:
 * Google "Gmail SMTP errors and codes" (support.google.com/a/answer/3726730); Microsoft "Email non-delivery reports and
 * SMTP errors in Exchange Online" (learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr/); Yahoo Sender Hub
 * (senders.yahooinc.com/smtp-error-codes); Zoho (zoho.com/mail/help, zoho.com/zeptomail/help/api/smtp-error-codes.html);
 * Amazon SES (docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html); the sources of Postfix and Exim; RFC 4954 §6.
 */
const RULES: readonly Rule[] = [
  // Whatever else they say, these are about one recipient, or about us.
  {
    class: 'hard',
    rule: 'Microsoft, Tencent: no such recipient at the edge',
    text: /recipient address rejected: access denied|mail ?box unavailable or access denied/i,
  },
  {
    class: 'account',
    rule: 'the sender address is not ours',
    text: /not owned by (user|auth)|sender address rejected: not (owned|logged in)/i,
  },

  {
    class: 'block',
    rule: 'Microsoft: only some may write to this recipient',
    text: /SenderNotAuthenticatedForGroup|RESOLVER\.RST\.AuthRequired|delivery restriction check failed/i,
    phases: ['rcpt', 'data', 'dsn'],
  },
  { class: 'block', rule: 'Zoho: filters of the recipient', text: /rejected by destination domain|delivery restricted by policy/i },
  { class: 'account', rule: 'Microsoft: may not send as this address', text: /SendAsDenied|permissions? to send as th(is|e) sender/i },
  { class: 'account', rule: 'Amazon SES: no right to send', text: /not authorized to perform .?ses:/i },
  { class: 'limit', rule: 'Google: sending limit', text: /\b5\.7\.1 email quota exceeded/i, phases: ['mail', 'rcpt', 'data'] },
  { class: 'limit', rule: 'sender over its limit', text: /sender address rejected: .{0,40}(limit|quota) (is )?(exceeded|reached)/i },
  { class: 'message', rule: 'Google: dangerous contents', text: /potential security issue/i },
  {
    class: 'message',
    rule: 'Amazon SES: malformed',
    text: /transaction failed: (missing|address list|local address|domain|duplicate|expected)/i,
  },
  { class: 'hard', rule: 'no address', text: /invalid rcpt to address/i, phases: ['rcpt'] },

  {
    class: 'account',
    rule: 'the sender address is refused',
    text: SENDER_REFUSED,
    phases: ['mail'],
  },
  {
    class: 'block',
    rule: 'the sender address is refused',
    text: SENDER_REFUSED,
    phases: ['rcpt', 'data', 'dsn'],
  },

  // Limits of our own mailbox.
  {
    class: 'limit',
    rule: 'Google: daily sending limit',
    text: /daily (user )?sending (limit|quota) exceeded|daily smtp relay (sending )?limit exceeded/i,
  },
  { class: 'limit', rule: 'Microsoft: submission quota', text: /submission ?quota ?exceeded/i },
  {
    class: 'limit',
    rule: 'Microsoft: recipient limit',
    text: /reached your daily limit for message recipients|exceeded its daily limit|external recipient rate limit/i,
  },
  { class: 'limit', rule: 'Microsoft: tenant limit', enhanced: /^5\.7\.23[23]$|^5\.1\.90$/ },
  { class: 'limit', rule: 'Amazon SES: daily quota', text: /daily message quota exceeded/i },
  { class: 'limit', rule: 'Zoho: unusual activity', text: /unusual sending activity detected/i },
  {
    class: 'limit',
    rule: 'hosting: hourly or daily limit of the sender',
    text: /(hourly|daily|maximum|sending|outgoing|message) (\w+ ){0,3}(limit|quota)( \w+){0,4} (exceeded|reached)|exceeded (the|your|its) (\w+ ){0,2}(sending|hourly|daily|outgoing) (limit|quota)|sender (rate limit|quota exceeded)|rate overlimit|too many (mails|messages|emails) sent|max(imum)? (e-?)?mails? per (hour|day)|limit on the number of allowed (outgoing )?messages|(user|you|account|domain \S+) (has |have )?exceeded (the|your|its) (hourly|daily) (\w+ )?limit/i,
    phases: ['auth', 'mail', 'rcpt', 'data'],
  },

  // Not our fault and soon over.
  { class: 'temp', rule: 'Amazon SES: sending rate', text: /maximum sending rate exceeded|throttling failure/i },
  { class: 'temp', rule: 'Microsoft: concurrent connections', text: /concurrent connections limit exceeded|sender thread limit exceeded/i },
  { class: 'temp', rule: 'Google: peak relay limit', text: /peak smtp relay limit exceeded/i },
  {
    class: 'temp',
    rule: 'Google: login attempts',
    text: /too many login attempts|cannot authenticate due to (a )?temporary system problem/i,
  },
  { class: 'temp', rule: 'greylisting', text: /gr[ea]y-?list|verification in progress/i },
  {
    class: 'temp',
    rule: 'recipient gets too much mail',
    text: /receiving mail (too quickly|at a rate)|per hour message receive limit|rate that prevents additional|exceed\w* receiving limit|\b(disabled|suspended|blocked) tempor/i,
  },
  { class: 'temp', rule: 'Yahoo: deferred', text: /\[?TSS0[0-8]\]?|temporarily deferred/i },
  { class: 'block', rule: 'Yahoo: permanently deferred', text: /permanently deferred|retrying will not succeed|\[?TSS(09|1\d)\]?/i },

  // Our login and our right to send.
  { class: 'temp', rule: 'login fails for now', text: /temporary|temporarily|try again|4\.7\.0/i, phases: ['auth'], codes: /^4/ },
  {
    class: 'account',
    rule: 'login or encryption is missing',
    text: /starttls|authentication|encryption|login|5\.[57]\./i,
    phases: [...OURS, 'rcpt', 'data'],
    codes: /^53[08]$/,
  },
  { class: 'account', rule: 'our Sent folder is full', text: /storedrv\.submission\.exception:quotaexceeded/i },
  {
    class: 'account',
    rule: 'login refused',
    text: /username and password not accepted|authentication (failed|failure|unsuccessful|required|credentials invalid)|invalid (login|credentials|user ?name or password)|incorrect (authentication|password)|bad (username|credentials)|application-specific password required|log ?in (with|through|via) your web ?browser|(basic authentication|smtpclientauthentication) is (not supported|disabled)|client (was )?not authenticated/i,
  },
  {
    class: 'account',
    rule: 'mailbox suspended',
    text: /(sender|your|account|user|mailbox)( \S+){0,4} (is |has been |been |was )?(suspended|blocked from sending|disabled for sending)|sending (is |has been )?(paused|disabled|suspended)|bad outbound sender|mail sending denied|account under review|sender address blocked|outbound ?spam ?exception/i,
    phases: [...OURS, 'rcpt', 'data'],
  },
  { class: 'account', rule: 'Amazon SES: not verified', text: /email address is not verified|not subscribed to ses/i },
  { class: 'account', rule: 'Microsoft: tenant blocked', enhanced: /^5\.7\.(50[123]|511|705|708|750)$|^5\.1\.8$/ },
  {
    class: 'account',
    rule: 'no relaying',
    text: /(un)?able to relay|relay(ing)? (access )?(denied|not (allowed|permitted))|not (allowed|permitted) to relay|relaying disallowed|mail relay denied/i,
    phases: [...OURS, 'rcpt'],
  },

  // The mailbox is full. Text beats code: 5.2.2 is also a sender's quota at Microsoft (above).
  { class: 'hard', rule: 'full and abandoned', text: /(out of storage|over ?quota)( \S+){0,6} and inactive/i },
  {
    class: 'soft',
    rule: 'mailbox full',
    text: /\b(mail ?box|inbox|quota|storage|disk|mail ?folder|account|user|maildir)( \S+){0,6} (is |are |was )?(too )?(full|exceeded|over (its |the |their )?(quota|limit|size))\b|(mail ?box|inbox|account)( \S+){0,3} (size )?(limit|exceeds)|over ?(the )?(\w+ )?quota|overquota|quota (is )?(exceeded|violation|reached|full)|exceed(ed|s|ing)?( \S+){0,5} (quota|storage|allowed size|mailbox)|(out of|no|insufficient|not enough|low on|enough) (\w+ )?(disk |mail ?box |system )?(storage|space)|disk ?quota|mail ?box ?full|full mail ?box|too many (messages|mails) (on|in|stored)|has exceeded (its|their|the) (\w+ ){0,2}(limit|allocation)|system storage exceeded/i,
    phases: ['rcpt', 'data', 'dsn'],
  },

  // The message itself.
  {
    class: 'message',
    rule: 'too large',
    text: /(message|e-?mail|attachment|headers?|body|line)( \S+){0,5} (too (large|big|long|many bytes)|exceeds?|exceeded)|too large a message|(larger|bigger) than( \S+){0,4} (limit|allowed|accept)|message (size|file) (limit|exceed)|exceeds? (the )?(maximum|fixed|max) (message )?size|size limit/i,
  },
  {
    class: 'message',
    rule: 'not as RFC 5322 says',
    text: /not rfc ?(5322|2822|5321|2821)|rfc ?(5322|2822) compliant|malformed|bare (lf|line ?feed|cr)|missing (a )?(valid )?(from|date|message-id)|(multiple|duplicate) (from|header)|invalid (header|characters)|8-?bit characters/i,
  },
  {
    class: 'message',
    rule: 'contents refused',
    text: /virus|malware|trojan|illegal attachment|(attachment|file) type|executable|banned (file|content)|content (of this message )?(is )?(unsolicited|rejected)|same message-id/i,
  },

  // Our own host, of which servers speak as they do of recipients' ones.
  {
    class: 'block',
    rule: 'reverse DNS',
    text: /reverse (dns|host|lookup|mapping|address)|\bptr\b|\brdns\b|cannot find your (reverse )?host ?name|invalid dns (mx|a)\b|no (valid )?reverse|\b(helo|ehlo)( \S+){0,4} (reject|invalid|not|fail|require|bad)|fcrdns|client host (rejected|name)/i,
    phases: ['connect', 'mail', 'rcpt', 'data', 'dsn'],
  },

  // The recipient does not exist, in words that leave no doubt.
  {
    class: 'hard',
    rule: 'no such recipient',
    text: /(?<!\bip |your )\b(user|recipient|mail ?box|address|account|alias|person|addressee|user ?id|employee|customer|name)( \S+){0,8} (does ?n.?o?t|doesn.t|is ?n.?o?t|isn.t|was ?n.?o?t|could not be|can ?not be|no longer|has never been|not)( \S+){0,3} (exists?|existing|found|known|valid|active|recogni[sz]ed|registered|listed|on server|present|located|an? active|any longer|here|have|in use)\b|\b(unknown|no such|invalid|non-?existent|unrouteable|inactive|deactivated|disabled|unverified|incorrect|illegal|obsolete|deleted|expired|undeliverable|bad destination) (or \w+ )?(local |final |delivery |mail |e-?mail |virtual )*(users?|recipients?|mail ?box|address(es)?|accounts?|alias|persons?|addressee|user ?id|part|destination)\b|(user|recipient|address|addressee|account|mail ?box) (is )?(currently )?(unknown|invalid|disabled|inactive|closed|suspended|terminated|deactivated|expired|deleted|discontinued|non-?existent|undeliverable)|\bunknown in\b|recipient ?not ?found|bad_?recipient|badrcptto|no mail ?box (here|found|available|by)|no (account|user|one|recipient)( \S+){0,2} (by that name|with that name|here|of that name|at this)|not (our|a valid|a local|a known|one of our) (customer|mail ?box|user|recipient|address)|(does ?n.t|does not|doesn.t) have an? .{0,40}account|account( that you tried to reach)? (does not exist|has been (disabled|suspended|closed|deactivated|deleted))|(user|recipient|person|address|account|mail ?box|employee)( \S+){0,3} (has|have) (been )?(moved|disabled|suspended|deactivated|terminated|left|retired|removed|deleted|discontinued|closed|changed)|(user|recipient|address|account|mail ?box)( \S+){0,4} (blocked|locked|disabled|suspended|closed) (due to|because of|for) inactivity|(recipient|addressee)( \S+){0,2} (can ?not|could not) be verified|recipient (address )?verif\w+ failed|no longer (valid|accepts|with (us|the|this)|works?|in use|on server|available|active|employed|exists?|monitored)|no match(es)? (to|for|found)|(final|local) (e-?mail )?delivery (point|user ?id)|not a deliverable address|undeliverable address|recipnotfound|can ?not find \S+@|not listed in|name is not recogni[sz]ed|(wrong|mistyped|misspelled) (address|recipient)|address( \S+){0,4} (wrong|incorrect|misspelled)|is not (an? )?(active|valid|known|existing|registered)|does not like recipient|delivery to this (user|address|recipient) (is )?(not|has been) (possible|disabled)|(user|employee|person|recipient) (has )?(moved|left)|(user|recipient|address) (is )?(not local|not on this (system|server|host))|unrouteable address|address unknown|no valid (cert )?recipients?|all recipients? (were |are )?(rejected|invalid)/i,
    phases: ['rcpt', 'data', 'dsn'],
  },
  {
    class: 'hard',
    rule: 'no such domain',
    text: /\b(domain|host|server|mx)( \S+){0,6} (does ?n.?o?t|doesn.t|not) (exist|found|accept (any )?(e-?mail|mail)|receive)|unknown (host|domain|mail server)|(host|domain|(host|domain) name|server) (or domain name )?(was )?(not found|unknown|not known)|name or service not known|no such (domain|host)|null ?mx|(find|resolve|locate)( \S+){0,3} (recipient|destination) (domain|host)|domain name not found|unrouteable (mail )?domain|unroutable (mail )?domain|all relevant mx records point to non-existent|not a valid rfc.?5321 address|nxdomain|no (mx|mail exchanger)( \S+){0,3} (found|for|record)|(bad|invalid|illegal|nonexistent) (destination )?(host|domain|system|mailbox system)|couldn.t find any host|infodomainnonexistent|nodename nor servname|indicated no smtp service|no (a|mx) (or|and|nor) (mx|a)\b|reserved by rfc ?\d|does not accept (any )?(e-?)?mail[.!]?$/i,
    phases: ['rcpt', 'data', 'dsn'],
  },

  // Unwanted: reputation, policy, our domain's authentication.
  {
    class: 'block',
    rule: 'our domain is not authenticated',
    text: /\b(spf|dkim|dmarc|arc)\b|sender policy framework|unauthenticated (email|mail|sender)|sender is unauthenticated|required authentication level|domain ?keys|from: header .{0,20}aligned/i,
    phases: ['mail', 'rcpt', 'data', 'dsn'],
  },
  {
    class: 'block',
    rule: 'block list',
    text: /\((con|dyn|hvu|rly|rtr):\w+\)|block ?list|black ?list|\brbl\b|\bdnsbl\b|spamhaus|spamcop|sorbs|barracuda|proofpoint|cloudmark|mimecast|abuseat|surbl|uribl|invaluement|uceprotect|(?<!not )listed (at|in|on|by) |banned sending ip|is in an? \w+bl\b|\bs3140\b|\bs3150\b|\[?BL2[13]\]?|bad reputation|poor reputation|(low|very low|no) reputation|senderbase|senderscore/i,
  },
  { class: 'block', rule: 'taken for spam', text: /spam|unsolicited|junk|bulk mail|phish|suspicious|high probability|unwanted/i },
  {
    class: 'block',
    rule: 'refused by policy',
    text: /(polic(y|ies)|not accepted for|access denied|not (allowed|authori[sz]ed|permitted)|delivery not authori[sz]ed|administrative(ly)? (prohibit|reject)|prohibited|forbidden|transport rule|blocked|denied by|\[?PH01\]?|\[?CS01\]?)/i,
    phases: ['mail', 'rcpt', 'data', 'dsn'],
  },

  // The recipient may not exist.
  {
    class: 'hard',
    rule: 'recipient refused',
    text: /(mail ?box|account|recipient|address)( \S+){0,3} (is )?(unavailable|not available|not (be )?accepted|rejected)|recipient (address )?(rejected|refused|not ok|denied)|does not have a final|not delivered to that address|invalid recipient|\b550[ -]5\.1\.1\b/i,
    phases: ['rcpt', 'data', 'dsn'],
  },
  { class: 'hard', rule: 'no such recipient', enhanced: /^5\.1\.([1-46]|10|351)$|^5\.4\.(1|310)$|^5\.7\.50[45]$/ },
  { class: 'hard', rule: 'mailbox switched off', enhanced: /^5\.2\.1$/ },
  { class: 'message', rule: 'too large', enhanced: /^[45]\.(3\.4|2\.3)$/ },
  { class: 'message', rule: 'contents refused', enhanced: /^5\.6\.\d+$/ },
  { class: 'soft', rule: 'mailbox full', enhanced: /^[45]\.2\.2$/ },
  { class: 'block', rule: 'refused by policy', enhanced: /^5\.7\.\d+$/, phases: ['mail', 'rcpt', 'data', 'dsn'] },

  {
    class: 'block',
    rule: 'refused',
    text: /reject|refus|denied|blocked|not accept/i,
    phases: ['mail', 'rcpt', 'data', 'dsn'],
    codes: /^5/,
  },
];

const ENHANCED = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/** The class of a server's answer, by the table of known ones, then by its phase and codes. Pure and total. */
export function classifyReply(reply: Reply): ReplyVerdict {
  const text = reply.text.slice(0, 4_000).replaceAll(/\s+/g, ' ');
  const enhanced = specific(reply.enhanced) ?? ENHANCED.exec(text)?.[1] ?? reply.enhanced ?? '';
  const code = reply.code ?? Number(/^\s*([245]\d\d)\b/.exec(text)?.[1] ?? `${enhanced.charAt(0)}00`);
  const isTransient = String(code).startsWith('4') || (reply.code === null && enhanced.startsWith('4'));
  const found = RULES.find((rule) => matches(rule, reply.phase, String(code), enhanced, text));
  if (
    found !== undefined &&
    !(isTransient && ['hard', 'block', 'message'].includes(found.class)) &&
    !(code === 421 && found.class !== 'limit')
  )
    return { class: found.class, rule: found.rule };
  if (isTransient || code === 421) return { class: 'temp', rule: 'a 4xx without a rule' };
  return byPhase(reply.phase);
}

/** `5.0.0` and `5.5.0` say nothing: the text may. */
const specific = (enhanced: string | null) => (enhanced === null || /^[245]\.[05]\.0$/.test(enhanced) ? null : enhanced);

function matches(rule: Rule, phase: Reply['phase'], code: string, enhanced: string, text: string): boolean {
  if (rule.phases !== undefined && !rule.phases.includes(phase)) return false;
  if (rule.codes !== undefined && !rule.codes.test(code)) return false;
  return (rule.text?.test(text) ?? false) || (rule.enhanced?.test(enhanced) ?? false);
}

/** What is known of nobody: before the recipient is named it is about us, about the recipient it is no proof. */
function byPhase(phase: Reply['phase']): ReplyVerdict {
  if (phase === 'connect' || phase === 'auth' || phase === 'mail') return { class: 'account', rule: `a 5xx at ${phase} without a rule` };
  return { class: 'block', rule: `a 5xx at ${phase} without a rule` };
}
