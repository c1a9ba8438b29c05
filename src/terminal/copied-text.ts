/** A command in a message: the text after a colon, up to punctuation or a word that continues the sentence. */
export const COMMAND_IN_TEXT = /(?<=: )outreach(?: (?!(?:or|and|to|with) )(?:"[^"]*"|[^\s;,()"]+))+/g;

/** A command on a line of its own, with the environment that it is to have; what it does may follow after two spaces. */
const COMMAND_LINE = /^(?:[A-Z_]+=\S+ )*(?:npm exec -- )?outreach(?: \S+)+(?= {2}|$)/;
const DNS_RECORD = /^\S+\. (?:IN )?(?:TXT|CNAME) .+$/;

/** The parts of text that are copied out of it, and stay in one piece: a command, which would be run as its first half, and a DNS record. */
export const COPIED = new RegExp([COMMAND_IN_TEXT, COMMAND_LINE, DNS_RECORD].map(({ source }) => source).join('|'), 'g');
