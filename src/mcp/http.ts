import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server';
import type { Request as ExpressRequest, RequestHandler } from 'express';
import { authenticate } from '../access/index.ts';
import { toOutreachError } from '../api/error-mapping.ts';
import { hasLargeBody, type KeyLimits } from '../api/key-limits.ts';
import { openApiDocument } from '../api/openapi.ts';
import { requestApp } from '../api/request-app.ts';
import { bodyText } from '../api/request-body.ts';
import { queryFields } from '../api/request-fields.ts';
import type { RequestContext } from '../api/trpc.ts';
import { workOf } from '../api/trpc-handler.ts';
import type { App } from '../app.ts';
import { clientAddress } from '../core/client-address.ts';
import { invalid } from '../core/errors.ts';
import type { Call } from './call.ts';
import { TOOL_SETS } from './choice.ts';
import type { ApiDocument } from './operations.ts';
import { rightsOf } from './rights.ts';
import { createMcpServer } from './server.ts';

/**
 * Serves the tools over Streamable HTTP, without sessions. Clients send an API key; a call has the rights and limits of the key.
 * `?tools=` names sets of tools.
 * @param closing aborted when the server shuts down
 */
export function mcpHandler(app: App, router: AnyTRPCRouter, limits: KeyLimits, closing: AbortSignal): RequestHandler {
  let document: ApiDocument | undefined;
  return async (req, res, next) => {
    try {
      const identify = () => authenticate(app, req.headers.authorization, clientAddress(req.ip));
      const identity = await identify();
      const { caller } = identity;
      const { over, run } = workOf(res);
      limits.beginRequests(caller, over);
      const ours = requestApp(app, limits.database(app.db, caller, over), res.locals.requestId);
      const context: RequestContext = { app: ours, identity, caller, limits, connection: { closing, run, identify } };
      document ??= openApiDocument(router, '/api/v1') as ApiDocument;
      const world = {
        document,
        call: callOf(router, context),
        rights: rightsOf(caller.role, caller.scopes ?? []),
        sets: setsOf(req),
        version: '1',
      };
      const handler = createMcpHandler(() => createMcpServer(world));
      if (hasLargeBody(req.headers)) await limits.largeBody(caller, over);
      const body = await bodyText(req, res);
      // The limits count requests, and the protocol has had no batches since its revision of 2025-06-18.
      if (body.trimStart().startsWith('[')) throw invalid('the body: one message, not a batch; send each in a request of its own');
      const answer = await handler.fetch(requestOf(req, body));
      res.status(answer.status);
      for (const [name, value] of answer.headers) res.setHeader(name, value);
      if (answer.body === null) res.end();
      else await pipeline(Readable.fromWeb(answer.body as never), res);
    } catch (error) {
      next(error);
    }
  };
}

const callOf =
  (router: AnyTRPCRouter, ctx: RequestContext): Call =>
  (type, path, input) =>
    callTRPCProcedure({ router, path, type, ctx, getRawInput: async () => input, signal: undefined, batchIndex: 0 }).catch(
      (error: unknown) => {
        throw toOutreachError(error);
      },
    );

function setsOf(req: ExpressRequest): string[] {
  const names = String(queryFields(req).tools ?? 'usual').split(',');
  const unknown = names.find((name) => !TOOL_SETS.includes(name));
  if (unknown !== undefined) throw invalid(`tools: "${unknown}" is not a set of tools; sets: ${TOOL_SETS.join(', ')}`);
  return names;
}

function requestOf(req: ExpressRequest, body: string): Request {
  const headers = Object.entries(req.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])) as [
    string,
    string,
  ][];
  return new Request(`http://localhost${req.originalUrl}`, { method: req.method, headers, ...(req.method === 'POST' && { body }) });
}
