/** A command in a message: the text after a colon, up to punctuation or a word that goes on with the sentence. */
export const COMMAND_IN_TEXT = /(?<=: )outreach(?: (?!(?:or|and|to|with) )(?:"[^"]*"|[^\s;,()"]+))+/g;

/** What is copied out of text, and stays in one piece: a command, which would be run as its first half, and a DNS record. */
export const COPIED = new RegExp(`${COMMAND_IN_TEXT.source}|${/^\S+\. (?:IN )?(?:TXT|CNAME) .+$/.source}`, 'g');
