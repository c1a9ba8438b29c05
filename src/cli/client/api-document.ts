import { httpFetch } from '../../client/http-fetch.ts';
import { OutreachError } from '../../core/errors.ts';
import type { ApiDocument } from '../../mcp/operations.ts';

/**
 * Returns the OpenAPI document of a server, which lists the operations of its version, or of this program if `url` is null. Throws
 * `conflict` if the server sends none.
 */
export async function apiDocument(url: string | null): Promise<ApiDocument> {
  if (url !== null) {
    const answer = await httpFetch(`${url}/api/v1/openapi.json`);
    if (!answer.ok) throw new OutreachError('conflict', `${url} sends no API document: status ${answer.status}`);
    return (await answer.json()) as ApiDocument;
  }
  const [{ appRouter }, { openApiDocument }] = await Promise.all([import('../../api/routers/index.ts'), import('../../api/openapi.ts')]);
  return openApiDocument(appRouter, '/api/v1') as ApiDocument;
}
