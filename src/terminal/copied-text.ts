/** A command in a message: the text after a colon, up to punctuation or a word that continues the sentence. */
export const COMMAND_IN_TEXT = /(?<=: )outreach(?: (?!(?:or|and|to|with) )(?:"[^"]*"|[^\s;,()"]+))+/g;

/** A command on a line of its own, after the environment variables to set. Its description may follow after two spaces. */
const COMMAND_LINE = /^(?:[A-Z_]+=\S+ )*(?:npm exec -- )?outreach(?: \S+)+(?= {2}|$)/;
const DNS_RECORD = /^\S+\. (?:IN )?(?:TXT|CNAME) .+$/;

/**
 * The parts of a text that people copy, and that must not be wrapped: commands, of which only the first half would run, and DNS records.
 */
export const COPIED = new RegExp([COMMAND_IN_TEXT, COMMAND_LINE, DNS_RECORD].map(({ source }) => source).join('|'), 'g');
