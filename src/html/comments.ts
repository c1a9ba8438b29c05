/** Returns the document without comments, which are not displayed. An unclosed comment extends to the end (HTML §13.2.5.45). */
export const withoutComments = (html: string): string => html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '');
