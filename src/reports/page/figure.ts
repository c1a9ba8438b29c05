import { escapeHtml } from '../../html/page.ts';

/** Width of every picture, in its own units; the page scales it. */
export const WIDTH = 720;

/** A number in SVG, to a hundredth of a unit. */
export const at = (value: number): string => String(Math.round(value * 100) / 100);

/** A picture in words: its title and what it shows. */
export interface Caption {
  /** Unique on the page. */
  id: string;
  title: string;
  /** Read instead of the picture; the table after it has every figure. */
  description: string;
}

/** A picture as SVG with its name for a screen reader. @param content SVG with every value escaped @param height in units of WIDTH */
export const picture = ({ id, title, description }: Caption, content: string, height: number): string => `
<svg role="img" aria-labelledby="${id}-title ${id}-description" viewBox="0 0 ${WIDTH} ${at(height)}" xmlns="http://www.w3.org/2000/svg">
<title id="${id}-title">${escapeHtml(title)}</title>
<desc id="${id}-description">${escapeHtml(description)}</desc>
${content}
</svg>`;

/** Text in a picture. @param place attributes of its place and kind */
export const text = (place: string, words: string): string => `<text ${place}>${escapeHtml(words)}</text>`;

/** Words cut to fit a column of a picture; no character is cut in two. */
export const cut = (words: string, length: number): string =>
  words.length <= length ? words : `${[...words].slice(0, length - 1).join('')}…`;
