import type { AnyTRPCRouter } from '@trpc/server';
import express from 'express';
import { notFound } from '../core/errors.ts';
import { type ApiDocument, llmsText, partOf } from './document-parts.ts';
import { openApiDocument } from './openapi.ts';
import { queryFields } from './request-fields.ts';

/**
 * Serves what describes the API, without a key: `/api/v1/openapi.json`, a part of it by `?tag=`, and `/llms.txt`
 * (https://llmstxt.org). Each is made when it is first asked for.
 */
export function documentRoutes(router: AnyTRPCRouter, baseUrl: string): express.Router {
  const routes = express.Router({ caseSensitive: true });
  const made = new Map<string, string>();
  let document: ApiDocument | undefined;
  const whole = () => {
    document ??= openApiDocument(router, `${baseUrl}/api/v1`) as ApiDocument;
    return document;
  };
  const text = (name: string, make: () => string) => {
    const known = made.get(name) ?? make();
    made.set(name, known);
    return known;
  };
  routes.get('/api/v1/openapi.json', (req, res) => {
    const { tag } = queryFields(req);
    const wanted = String(tag).toLowerCase();
    const name = tag === undefined ? '' : whole().tags.find((one) => one.name.toLowerCase() === wanted)?.name;
    if (name === undefined) throw notFound(`tag "${String(tag).slice(0, 100)}"`);
    const body = text(name, () => JSON.stringify(name === '' ? whole() : partOf(whole(), name)));
    res.type('application/json').send(body);
  });
  routes.get('/llms.txt', (_req, res) => {
    res.type('text/plain; charset=utf-8').send(text('llms.txt', () => llmsText(whole(), baseUrl)));
  });
  return routes;
}
