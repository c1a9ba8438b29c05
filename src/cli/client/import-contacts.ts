import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import type { ImportResult } from '../../contacts/import/index.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { fileSize } from '../../files/input-file.ts';
import { writeWhole } from '../../files/output-file.ts';
import { csv, readList } from '../list-output.ts';
import type { Login } from '../login.ts';
import type { Api } from './api.ts';
import { persistently, type WatchOptions } from './persistently.ts';
import { postForm } from './post-form.ts';

/** A file to import, and its options: the flags of `contact import`. */
export interface ContactFile {
  path: string;
  createFields: boolean;
  delimiter: string | undefined;
  dryRun: boolean;
  encoding: string | undefined;
  list: string | undefined;
  map: readonly string[];
  report: string | undefined;
  skipLines: number | undefined;
  update: boolean;
}

/** In bytes: the largest file that the API takes. */
const MAX_BYTES = 50 * 1024 * 1024;
/** In milliseconds: how long an interrupted upload waits for its response, which has the id to cancel the import by. */
const ANSWER_TIMEOUT = 5_000;
/** Maximum number of problems in a result; a report has all of them. */
const MAX_PROBLEMS = 20;
const REPORT_COLUMNS = ['line', 'email', 'outcome', 'reason'];

/** An import on a server, as the API shows it. */
type Job = Awaited<ReturnType<Api['imports']['get']['query']>>;

/**
 * Imports a file on a server, with the rights of the key, and waits until it is done. An abort cancels the import; one that has
 * completed by then is reported as completed. Throws `conflict` or `invalid_request` with the reason when nothing was imported.
 */
export async function importThere(
  server: Login,
  api: Api,
  file: ContactFile,
  options: Omit<WatchOptions, 'url'>,
  progress: (job: Job) => void,
): Promise<ImportResult> {
  const { id } = await upload(server, file, options.signal);
  const job = await ended(api, id, { ...options, url: server.url }, progress);
  if (job.result === null) throw invalid(job.error ?? 'the import was cancelled; nothing was imported');
  const reading = { all: file.report !== undefined, limit: MAX_PROBLEMS };
  const { rows } = await readList(reading, (page) => api.imports.problems.query({ id, ...page }));
  if (file.report !== undefined) await writeWhole(file.report, Readable.from([`${csv(rows, REPORT_COLUMNS)}\n`]));
  const problems = rows.slice(0, MAX_PROBLEMS).map(({ line, outcome, reason }) => ({ line, outcome, reason }));
  return { ...job.result, dry_run: job.dry_run, problems, report: file.report ?? null };
}

/** Sends the file and the options as a form. */
async function upload(server: Login, file: ContactFile, signal: AbortSignal): Promise<Job> {
  const form = new FormData();
  const { list, encoding, delimiter, skipLines, update, createFields, dryRun } = file;
  const fields = { list, encoding, delimiter, skip_lines: skipLines, update, create_fields: createFields, dry_run: dryRun };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value));
  for (const mapping of file.map) form.append('map', mapping);
  if (fileSize(file.path) > MAX_BYTES)
    throw invalid(`${file.path} is larger than 50 MiB; import it in parts, or on the machine of the server`);
  form.set('file', new Blob([await readFile(file.path)]), basename(file.path));
  return postForm<Job>(server, '/imports', form, delayed(signal)).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
}

/** Returns a signal that aborts ANSWER_TIMEOUT after the given one. */
function delayed(signal: AbortSignal): AbortSignal {
  const cut = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => cut.abort(), ANSWER_TIMEOUT).unref(), { once: true });
  return cut.signal;
}

/** Polls the import until it has ended. */
async function ended(api: Api, id: number, options: WatchOptions, progress: (job: Job) => void): Promise<Job> {
  const { signal, milliseconds = 500 } = options;
  // Polling goes on after the abort, so it takes a signal that never aborts.
  const uninterrupted = { ...options, signal: new AbortController().signal };
  for (;;) {
    const job = await persistently(() => api.imports.get.query({ id }), uninterrupted);
    if (job === null) throw conflict('the import is gone from the server');
    progress(job);
    if (job.status !== 'queued' && job.status !== 'running') return job;
    if (signal.aborted) {
      const cancelled = await api.imports.cancel.mutate({ id }).catch(() => null);
      if (cancelled?.status === 'cancelled') throw signal.reason;
    }
    // An abort ends the pause immediately, but only once: an aborted signal would end every later pause too.
    await pause(milliseconds, undefined, signal.aborted ? {} : { signal }).catch(() => undefined);
  }
}
