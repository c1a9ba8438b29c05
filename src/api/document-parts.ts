import { INTRODUCTION } from './introduction.ts';

interface DescribedOperation {
  tags?: string[];
  summary?: string;
}

/** The fields of the OpenAPI document that are read here. */
export interface ApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, unknown>; responses: object };
}

/** Returns the part of the document with a tag: its operations, and the schemas that they use. */
export function partOf(document: ApiDocument, tag: string): ApiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, operations]) => {
      const kept = Object.entries(operations).filter(([, operation]) => operation.tags?.includes(tag));
      return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]];
    }),
  );
  const { schemas, responses } = document.components;
  const used = schemasUsedBy([paths, responses], schemas);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
  return {
    ...document,
    paths,
    tags: document.tags.filter(({ name }) => name === tag),
    components: { ...document.components, schemas: kept },
  };
}

/** The names of the schemas that a part of a document refers to, directly or through others. */
export function schemasUsedBy(part: unknown, schemas: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const used = new Set<string>();
  const pending = [part];
  while (pending.length > 0)
    for (const [, name = ''] of JSON.stringify(pending.pop()).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      pending.push(schemas[name]);
    }
  return used;
}

/** Describes the API in a page of Markdown for language models: what applies to every operation, then each operation with its summary. */
export function llmsText(document: ApiDocument, baseUrl: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags = [], summary = '' }]) => ({
      tags,
      line: `- ${method.toUpperCase()} ${path}: ${summary}`,
    })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const part = `${baseUrl}/api/v1/openapi.json?tag=${encodeURIComponent(name)}`;
    const lines = operations.filter(({ tags }) => tags.includes(name)).map(({ line }) => line);
    return `## ${name}\n\n${description}. [Schemas](${part})\n\n${lines.join('\n')}`;
  });
  const head = '# Outreach\n\n> A self-hosted service that runs multi-step cold-email campaigns. It has a JSON REST API.';
  const base = `Paths below follow ${baseUrl}/api/v1. The whole API as OpenAPI 3.1: ${baseUrl}/api/v1/openapi.json`;
  return `${head}\n\n${base}\n\n${INTRODUCTION.replace(/^.*\n\n/, '')}\n\n${sections.join('\n\n')}\n`;
}
