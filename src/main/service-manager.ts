// biome-ignore-all lint/style/noProcessEnv: variables of systemd are not settings

import { execFile } from 'node:child_process';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';

const INTERVAL = 20 * SECOND;

type WithLog = Pick<App, 'log'>;

/**
 * Notifies systemd about the service (sd_notify(3)). Runs systemd-notify, a program of systemd, because Node has no Unix-domain datagram
 * sockets.
 */
function notify({ log }: WithLog, what: string, env: NodeJS.ProcessEnv): void {
  execFile('systemd-notify', [what], { env }, (error) => {
    if (error !== null) log.warn({ reason: messageOf(error) }, `systemd could not be told ${what}`);
  });
}

/** Tells systemd that the daemon is ready: `systemctl start` waits for it with `Type=notify`. */
export function notifyReady(app: WithLog, env = process.env): void {
  if (env.NOTIFY_SOCKET !== undefined) notify(app, 'READY=1', env);
}

/**
 * Tells systemd that the process is alive, if its unit has `WatchdogSec=`. Uses a timer of the event loop, so that silence means that the
 * loop hangs.
 * @returns a function that ends it
 */
export function startWatchdog(app: WithLog, env = process.env): () => void {
  if (env.NOTIFY_SOCKET === undefined || env.WATCHDOG_USEC === undefined) return () => undefined;
  notify(app, 'WATCHDOG=1', env);
  const timer = setInterval(() => notify(app, 'WATCHDOG=1', env), INTERVAL);
  return () => clearInterval(timer);
}
