import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type BenchProcess, startProcess } from './installation.ts';

const SMTP_SINK = ['/usr/sbin/smtp-sink', 'smtp-sink'];

/**
 * An SMTP server that takes every mail and throws it away, in a process of its own: Postfix's smtp-sink where it is
 * installed (Debian: postfix), else the small one below. Returns its port.
 */
export async function startSink(): Promise<{ name: string; port: number; stop(): Promise<void> }> {
  const postfix = SMTP_SINK.find((command) => spawnSync(command, ['-h']).error === undefined);
  if (postfix === undefined) {
    const sink = await startProcess(process.execPath, [fileURLToPath(import.meta.url)]);
    return { name: 'node', port: Number(sink.said), stop: sink.stop };
  }
  const port = await freePort();
  const asRoot = process.getuid?.() === 0 ? '-u nobody' : '';
  // It says nothing by itself; the shell says when it has begun, and becomes it.
  const sink: BenchProcess = await startProcess('/bin/sh', ['-c', `echo ready; exec ${postfix} ${asRoot} 127.0.0.1:${port} 256`]);
  return { name: 'smtp-sink', port, stop: sink.stop };
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

/** Answers just enough SMTP (RFC 5321 §4.1): every command is well, and a message ends with a dot on a line. */
function converse(socket: Socket): void {
  let text = '';
  let inMessage = false;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.write('220 sink\r\n');
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (;;) {
      const border = inMessage ? '\r\n.\r\n' : '\r\n';
      const end = text.indexOf(border);
      // All but a border cut in two can be forgotten.
      if (end === -1) {
        if (inMessage) text = text.slice(-border.length);
        return;
      }
      const command = text.slice(0, 4).toUpperCase();
      text = text.slice(end + border.length);
      if (inMessage) socket.write('250 taken\r\n');
      else socket.write(command === 'DATA' ? '354 go on\r\n' : command === 'QUIT' ? '221 bye\r\n' : '250 sink\r\n');
      inMessage = !inMessage && command === 'DATA';
      if (command === 'DATA' && inMessage) text = `\r\n${text}`;
    }
  });
}

if (import.meta.main) {
  const server = createServer(converse);
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
  process.on('SIGTERM', () => process.exit());
}
