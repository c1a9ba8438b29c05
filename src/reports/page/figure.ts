import { escapeHtml } from '../../html/page.ts';

/** Width of every picture, in its own units; the page scales it. */
export const WIDTH = 720;

/** Formats a number for SVG, to a hundredth of a unit. */
export const at = (value: number): string => String(Math.round(value * 100) / 100);

/** The description of a picture: its title and what it shows. */
export interface Caption {
  /** Unique on the page. */
  id: string;
  title: string;
  /** Read out instead of the picture. The table after it has every figure. */
  description: string;
}

/**
 * Renders a picture as SVG with its name for a screen reader.
 * @param content SVG with every value escaped
 * @param height in units of WIDTH
 */
export const picture = ({ id, title, description }: Caption, content: string, height: number): string => `
<svg role="img" aria-labelledby="${id}-title ${id}-description" viewBox="0 0 ${WIDTH} ${at(height)}" xmlns="http://www.w3.org/2000/svg">
<title id="${id}-title">${escapeHtml(title)}</title>
<desc id="${id}-description">${escapeHtml(description)}</desc>
${content}
</svg>`;

/** Renders text in a picture. @param place attributes for its position and kind */
export const text = (place: string, words: string): string => `<text ${place}>${escapeHtml(words)}</text>`;

/** Shortens text to fit a column of a picture, without splitting a character. */
export const cut = (words: string, length: number): string =>
  words.length <= length ? words : `${[...words].slice(0, length - 1).join('')}…`;
