import { createHash } from 'node:crypto';

/** An HTML page for people who follow a link, with its response headers. */
export interface HtmlPage {
  html: string;
  headers: Record<string, string>;
}

const STYLE = `
:root { color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif; }
body { margin: 0; padding: 2rem 1rem; }
main { max-width: 36rem; margin: 0 auto; }
h1 { font-size: 1.5rem; line-height: 1.25; }
code { display: block; padding: .75rem; border: 1px solid; border-radius: .25rem; overflow-wrap: anywhere; user-select: all; }
button { font: inherit; padding: .6rem 1.5rem; border: 2px solid #0b57d0; border-radius: .25rem; background: #0b57d0; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid; outline-offset: 3px; }`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * A small page that works without JavaScript, with a screen reader and on a phone, and loads nothing from other servers. Its
 * Content-Security-Policy forbids scripts and frames.
 * @param body HTML of the main part, with every value already escaped
 * @param language of title and body, for screen readers
 */
export function htmlPage(title: string, body: string, language = 'en'): HtmlPage {
  return {
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  };
}
