import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express from 'express';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outreach API</title>
<link rel="stylesheet" href="swagger-ui.css">
<link rel="icon" type="image/png" href="favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="reference.js"></script>
</body>
</html>
`;

const SCRIPT = `SwaggerUIBundle({ url: '../api/v1/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true });
`;

/** The files of swagger-ui that the page loads; the rest of its package (source maps, other bundles) is not served. */
const FILES = ['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png'];

/** Serves the API reference: swagger-ui with our OpenAPI document. Nothing is loaded from a CDN. */
export function referencePages(): express.Router {
  const pages = express.Router();
  const files = express.static(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist')), { index: false });
  pages.get('/', (req, res) => {
    // The relative URLs in the page need the trailing slash.
    if (!req.originalUrl.split('?')[0]?.endsWith('/')) return res.redirect(301, `${req.baseUrl}/`);
    return res.type('html').send(PAGE);
  });
  pages.get('/reference.js', (_req, res) => {
    res.type('text/javascript').send(SCRIPT);
  });
  pages.get(FILES, files);
  return pages;
}
