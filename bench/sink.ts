import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type BenchProcess, startProcess } from './installation.ts';

const SMTP_SINK = ['/usr/sbin/smtp-sink', 'smtp-sink'];

export interface Sink {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/**
 * An SMTP server in a separate process that accepts and discards every email: Postfix's smtp-sink if it is installed (Debian:
 * postfix), otherwise the small server below. That one also serves with latency, since smtp-sink can only delay by whole seconds.
 * @param latency milliseconds before each reply, 0 for none
 */
export async function startSink(latency = 0): Promise<Sink> {
  const postfix = latency === 0 ? SMTP_SINK.find((command) => spawnSync(command, ['-h']).error === undefined) : undefined;
  if (postfix === undefined) {
    const sink = await startProcess(process.execPath, [fileURLToPath(import.meta.url), String(latency)]);
    return { port: Number(sink.said), pid: sink.pid, stop: sink.stop };
  }
  const port = await freePort();
  const asRoot = process.getuid?.() === 0 ? '-u nobody' : '';
  // It prints nothing, so the shell prints a line and then replaces itself with it.
  const sink: BenchProcess = await startProcess('/bin/sh', ['-c', `echo ready; exec ${postfix} ${asRoot} 127.0.0.1:${port} 256`]);
  await accepting(port);
  return { port, pid: sink.pid, stop: sink.stop };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function accepting(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const isUp = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false);
    socket.destroy();
    if (isUp) return;
    await wait(50);
  }
  throw new Error(`no sink at port ${port}`);
}

const GREETING = '220 sink ESMTP\r\n';
const EHLO = '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n';

/**
 * Just enough SMTP (RFC 5321 §4.1): every command succeeds, and a message ends with a dot on a line. Pipelined commands get their
 * replies together (RFC 2920 §3.2).
 */
function converse(socket: Socket, latency: number): void {
  let text = '';
  let inMessage = false;
  const say = latency === 0 ? (reply: string) => socket.write(reply) : (reply: string) => setTimeout(() => socket.write(reply), latency);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  say(GREETING);
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    let replies = '';
    for (;;) {
      const border = inMessage ? '\r\n.\r\n' : '\r\n';
      const end = text.indexOf(border);
      if (end === -1) break;
      const command = text.slice(0, 4).toUpperCase();
      text = text.slice(end + border.length);
      if (inMessage) replies += '250 taken\r\n';
      else
        replies += command === 'DATA' ? '354 go on\r\n' : command === 'QUIT' ? '221 bye\r\n' : command === 'EHLO' ? EHLO : '250 sink\r\n';
      inMessage = !inMessage && command === 'DATA';
      if (inMessage) text = `\r\n${text}`;
    }
    // Of a message, only a possible beginning of its end mark is kept.
    if (inMessage) text = text.slice(-'\r\n.\r\n'.length);
    if (replies !== '') say(replies);
  });
}

if (import.meta.main) {
  const latency = Number(process.argv[2] ?? 0);
  const server = createServer((socket) => converse(socket, latency));
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
  process.on('SIGTERM', () => process.exit());
}
