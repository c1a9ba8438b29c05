import { createHash } from 'node:crypto';

/** An HTML page for people who open a link, with its response headers. */
export interface HtmlPage {
  html: string;
  headers: Record<string, string>;
}

/** The style of every page, light or dark like the reader's system. The contrast is at least 4.5:1 for text and 3:1 for graphics. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1b1b1f; --quiet: #55565c; --paper: #fff; --rule: #d9dade; --accent: #0b57d0; --on-accent: #fff;
  font: 1.125rem/1.6 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6ea; --quiet: #b0b1b8; --paper: #17181b; --rule: #3a3b41; --accent: #8ab4f8; --on-accent: #10131a; }
}
body { margin: 0; padding: 2rem 1rem; background: var(--paper); color: var(--ink); }
main { max-width: 36rem; margin: 0 auto; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
a { color: var(--accent); }
.quiet { color: var(--quiet); }
code { display: block; padding: .75rem; border: 1px solid var(--rule); border-radius: .25rem; overflow-wrap: anywhere; user-select: all; }
button { font: inherit; padding: .6rem 1.5rem; border: 2px solid var(--accent); border-radius: .25rem; background: var(--accent);
  color: var(--on-accent); cursor: pointer; }
button:focus-visible, a:focus-visible { outline: 3px solid; outline-offset: 3px; }`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const CHARACTERS = Object.fromEntries(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]));

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** Undoes `escapeHtml`. */
export const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity] ?? entity);

interface PageOptions {
  /** The language of title and body, for screen readers. */
  language?: string;
  /** The first heading, if it differs from the title, which may say more. */
  heading?: string;
  /** CSS rules to add after those of every page. */
  style?: string;
}

/**
 * Creates a page that works without JavaScript, with a screen reader and on a phone, and loads nothing from other servers. Its
 * Content-Security-Policy forbids scripts and frames, and allows images only as data URLs.
 * @param body HTML of the main part, with every value already escaped
 */
export function htmlPage(title: string, body: string, { language = 'en', heading = title, style = '' }: PageOptions = {}): HtmlPage {
  const rules = `${STYLE}${style}`;
  const hash = createHash('sha256').update(rules).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'`;
  return {
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(title)}</title>
<style>${rules}</style>
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
${body}
</main>
</body>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'Cache-Control': 'no-store',
    },
  };
}
