import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepts, freePort } from '../../src/db/embedded/ports.ts';
import { afterFile } from './after-file.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './smtp-sink.ts';
import { waitUntil } from './wait-until.ts';

const PATH = `${process.env.PATH ?? ''}:/usr/sbin`;

export type WebServer = 'nginx' | 'caddy';

export const isInstalled = (server: WebServer): boolean =>
  spawnSync(server, [server === 'nginx' ? '-v' : 'version'], { env: { PATH } }).status === 0;

/** Completes the part of the configuration that the docs show, with a port of this machine and the certificate of the tests. */
const CONFIGURATIONS: Record<WebServer, (text: string, port: number, folder: string) => string> = {
  nginx: (text, port, folder) => `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      ${text
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll(/ssl_certificate [^;]+/g, `ssl_certificate ${TEST_CERTIFICATE}`)
        .replaceAll(/ssl_certificate_key [^;]+/g, `ssl_certificate_key ${TEST_CERTIFICATE_KEY}`)}
    }`,
  caddy: (text, port) => `{
    admin off
    auto_https disable_redirects
    default_bind 127.0.0.1
  }
  ${text.replaceAll(/^([a-z.]+) \{$/gm, `https://$1:${port} {\n\ttls ${TEST_CERTIFICATE} ${TEST_CERTIFICATE_KEY}`)}`,
};

/** Starts a web server with a configuration from the docs. Stopped after the file. @returns its port */
export async function startWebServer(server: WebServer, text: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), `outreach-${server}-`));
  const port = await freePort(0);
  mkdirSync(join(folder, 'home'));
  const configuration = join(folder, server === 'nginx' ? 'nginx.conf' : 'Caddyfile');
  writeFileSync(configuration, `${CONFIGURATIONS[server](text, port, folder)}\n`);
  const words =
    server === 'nginx'
      ? ['-e', join(folder, 'error.log'), '-c', configuration]
      : ['run', '--adapter', 'caddyfile', '--config', configuration];
  const child = spawn(server, words, { env: { PATH, HOME: join(folder, 'home') }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (some: string) => {
    said += some;
  });
  afterFile(async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    rmSync(folder, { recursive: true, force: true });
  });
  await waitUntil(`${server} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${server} ended: ${said}`);
    return accepts(port);
  });
  return port;
}

export interface ProxiedAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

export interface ProxiedRequest {
  host: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Called with the body so far; true ends a response that would never end on its own. */
  isEnough?: (body: string) => boolean;
}

/** Requests a page of a host from a web server on this machine, from the address 127.0.0.9. */
export function askThrough(
  port: number,
  { host, path, method = 'GET', headers = {}, body = '', isEnough = () => false }: ProxiedRequest,
): Promise<ProxiedAnswer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      servername: host,
      rejectUnauthorized: false,
      localAddress: '127.0.0.9',
      agent: false as const,
    };
    const asked = request({ ...options, headers: { host, ...headers } }, (answer) => {
      let text = '';
      const done = () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
      answer.setEncoding('utf8').on('data', (some: string) => {
        text += some;
        if (!isEnough(text)) return;
        done();
        asked.destroy();
      });
      answer.once('end', done);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}
