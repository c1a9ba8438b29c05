/** An SMTP reply (RFC 5321) with a status (RFC 3463), at the start of a line, or after a word that introduces it. */
const QUOTED_REPLY = new RegExp(
  [
    '(?:^|[\\s:;"\'(<\\[#>=-])(?:[45]\\d\\d[ -]#?\\(?|#)[45]\\.\\d{1,3}\\.\\d{1,3}\\b',
    '\\b(?:said|replied|reply|response|responded|returned|error|reason|code)\\b[^\\w\\n]{1,12}[45][0-5]\\d\\b',
    '^[ \\t>]{0,12}[45][0-5]\\d[ -][\\[<#A-Za-z]',
  ].join('|'),
  'im',
);

/** True if a text quotes a server's SMTP reply. */
export const quotesServerReply = (text: string): boolean => QUOTED_REPLY.test(text);
