import { execFile } from 'node:child_process';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';

const INTERVAL = 20 * SECOND;

/**
 * Tells systemd that the process is alive, if its unit has `WatchdogSec=` (sd_notify(3)), from a timer of the event loop, so that silence
 * means that the loop stands still. systemd-notify is a program of systemd: Node has no sockets of datagrams in the file system.
 * @returns a function that ends it
 */
// biome-ignore lint/style/noProcessEnv: what systemd tells the process is no setting
export function startWatchdog({ log }: Pick<App, 'log'>, env = process.env): () => void {
  if (env.NOTIFY_SOCKET === undefined || env.WATCHDOG_USEC === undefined) return () => undefined;
  const tell = () =>
    execFile('systemd-notify', ['WATCHDOG=1'], { env }, (error) => {
      if (error !== null) log.warn({ reason: messageOf(error) }, 'systemd could not be told that the daemon is alive');
    });
  tell();
  const timer = setInterval(tell, INTERVAL);
  return () => clearInterval(timer);
}
