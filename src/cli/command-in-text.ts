/** A command in a message: the text after a colon, up to punctuation or a word that goes on with the sentence. */
export const COMMAND_IN_TEXT = /(?<=: )outreach(?: (?!(?:or|and|to|with) )(?:"[^"]*"|[^\s;,()"]+))+/g;
