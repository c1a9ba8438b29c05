import { setTimeout as wait } from 'node:timers/promises';
import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { conflict } from '../src/core/errors.ts';

const LIMIT_SECONDS = 100;

export default class Stop extends OutreachCommand {
  static override description = 'Stop the daemon\n\nThe daemon of this data directory finishes the emails being transmitted, then exits.';
  static override examples = ['<%= config.bin %> stop'];

  async run() {
    const { flags } = await this.parse(Stop);
    const { dataDir } = this.settings(flags);
    const daemon = runningDaemon(dataDir);
    if (daemon === undefined || !terminate(daemon.pid)) {
      this.log(`No daemon is running on ${dataDir}.`);
      return { stopped: false };
    }
    for (let waited = 0; runningDaemon(dataDir)?.pid === daemon.pid; waited += 0.1) {
      if (waited > LIMIT_SECONDS) throw conflict(`process ${daemon.pid} did not stop within ${LIMIT_SECONDS} s; check its log`);
      await wait(100);
    }
    this.log(`Stopped process ${daemon.pid}.`);
    return { stopped: true };
  }
}

/** Sends SIGTERM to a process. Returns false if it has ended already. */
function terminate(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGTERM');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return false;
    if (code === 'EPERM') throw conflict(`process ${pid} belongs to another user; run outreach stop as that user, or as root`);
    throw error;
  }
}
