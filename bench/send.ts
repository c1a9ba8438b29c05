import { sendBare } from './bare-sender.ts';
import { cpuOfTree } from './cpu.ts';
import type { Measurement } from './measure.ts';
import { activateAll, connectAccounts, emailsOf, prepareTurn, type SendScale, sendingInstallation, sendTurn } from './sending.ts';
import { startSink } from './sink.ts';

const ROUNDS = 3;

/**
 * Emails per second through the full path (plan, claim, compose, permit, transmit, and record with event and counters) against
 * bare nodemailer: the same messages over as many connections to the same sink, in a separate process.
 *
 * A sink on the loopback interface replies immediately, so `send-1` and `send-50` compare the CPU of the whole path, database included,
 * with that of nodemailer alone. On a machine with few cores this is the hardest comparison there is, and no real mail server is as fast.
 * In `…-20ms` the sink waits 20 ms before each reply, less than a provider takes over the internet; there it matters whether we ever wait
 * for anything but the server. A turn of `send-50` is 40,000 emails: in turns of 4,000 an email took a third longer, because code was not
 * compiled yet and accounts waited for the slowest. The note gives the CPU microseconds per email of each process.
 */
export const sendRows: readonly Measurement[] = [
  sendRow('send-1', { accounts: 1, batch: 1_000, batches: 2 }),
  sendRow('send-50', { accounts: 50, batch: 400, batches: 2 }),
  sendRow('send-1-20ms', { accounts: 1, batch: 100, batches: 2 }, 20),
  sendRow('send-50-20ms', { accounts: 50, batch: 40, batches: 2 }, 20),
];

function sendRow(name: string, scale: SendScale, latency = 0): Measurement {
  const emails = emailsOf(scale);
  return {
    name,
    unit: 'emails/s',
    rounds: ROUNDS,
    async prepare() {
      const sink = await startSink(latency);
      const installation = await sendingInstallation();
      const accounts = await connectAccounts(installation.app, sink.port, scale);
      const turns: number[][] = [];
      for (let round = 0; round < ROUNDS; round++) turns.push(await prepareTurn(installation.app, accounts, scale, `turn-${round}`));
      const processes = () => [processCpu(), cpuOfTree(installation.postgresPid), cpuOfTree(sink.pid)] as const;
      const used = { ours: [0, 0, 0], bare: [0, 0, 0] };
      const turnsOf = { ours: 0, bare: 0 };
      const counted = async (side: keyof typeof used, send: () => Promise<number>) => {
        const before = processes();
        const seconds = await send();
        turnsOf[side]++;
        used[side] = processes().map((now, index) => (used[side][index] ?? 0) + now - (before[index] ?? 0));
        return emails / seconds;
      };
      const perEmail = (side: keyof typeof used) => used[side].map((microseconds) => Math.round(microseconds / emails / turnsOf[side]));
      return {
        async ours() {
          const campaigns = turns.pop() ?? [];
          await activateAll(installation.app, campaigns);
          return counted('ours', () => sendTurn(installation, accounts, campaigns, scale));
        },
        ceiling: () => counted('bare', () => sendBare(sink.port, scale.accounts, emails)),
        note: () => {
          const [ours, postgres, sinkOfOurs] = perEmail('ours');
          const [bare, , sinkOfBare] = perEmail('bare');
          return `CPU µs/mail: ours ${ours}, PostgreSQL ${postgres}, sink ${sinkOfOurs}; bare ${bare}, sink ${sinkOfBare}`;
        },
        async close() {
          await installation.remove();
          await sink.stop();
        },
      };
    },
  };
}

function processCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
