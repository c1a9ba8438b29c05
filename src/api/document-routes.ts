import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { AnyTRPCRouter } from '@trpc/server';
import express from 'express';
import { notFound } from '../core/errors.ts';
import { type ApiDocument, llmsText, partOf } from './document-parts.ts';
import { openApiDocument } from './openapi.ts';
import { queryFields } from './request-fields.ts';

/**
 * Serves the descriptions of the API, without a key: `/api/v1/openapi.json`, a part of it with `?tag=`, and `/llms.txt`
 * (https://llmstxt.org). Each is generated on its first request.
 */
export function documentRoutes(router: AnyTRPCRouter, baseUrl: string): express.Router {
  const routes = express.Router({ caseSensitive: true });
  const made = new Map<string, Page>();
  let document: ApiDocument | undefined;
  const whole = () => {
    document ??= openApiDocument(router, `${baseUrl}/api/v1`) as ApiDocument;
    return document;
  };
  const page = (name: string, make: () => string) => {
    const known = made.get(name) ?? pageOf(make());
    made.set(name, known);
    return known;
  };
  routes.get('/api/v1/openapi.json', (req, res) => {
    const { tag } = queryFields(req);
    const wanted = String(tag).toLowerCase();
    const name = tag === undefined ? '' : whole().tags.find((one) => one.name.toLowerCase() === wanted)?.name;
    if (name === undefined) throw notFound(`tag "${String(tag).slice(0, 100)}"`);
    const body = page(name, () => JSON.stringify(name === '' ? whole() : partOf(whole(), name)));
    send(req, res.type('application/json'), body);
  });
  routes.get('/llms.txt', (req, res) => {
    send(
      req,
      res.type('text/plain; charset=utf-8'),
      page('llms.txt', () => llmsText(whole(), baseUrl)),
    );
  });
  return routes;
}

/** A response whose bytes are cached, so that requests without a key are cheap: the whole document has 290 KB. */
interface Page {
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

function pageOf(text: string): Page {
  const bytes = Buffer.from(text);
  return { bytes, gzipped: gzipSync(bytes), etag: `W/"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

function send(req: express.Request, res: express.Response, { bytes, gzipped, etag }: Page): void {
  res.set({ ETag: etag, Vary: 'Accept-Encoding' });
  if (req.fresh) return void res.status(304).end();
  const takesGzip = req.acceptsEncodings('gzip') !== false;
  if (takesGzip) res.set('Content-Encoding', 'gzip');
  const body = takesGzip ? gzipped : bytes;
  res.set('Content-Length', String(body.length)).end(body);
}
