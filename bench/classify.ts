import PostalMime from 'postal-mime';
import { classifyRaw } from '../src/mail/classify/index.ts';
import { inboundMessages } from './inbound-messages.ts';
import type { Measurement } from './measure.ts';

const MESSAGES = 2_000;

/**
 * Messages parsed and classified per second, against bare postal-mime, which only parses them. All rounds are in one process, like a busy
 * reader that takes one batch after the other. A reader ends after five idle minutes, so in practice there are also the first messages of a
 * new one, which take twice as long until V8 has compiled the code: the note has the rates of the first round.
 */
export const classifyRow: Measurement = {
  name: 'classify',
  unit: 'messages/s',
  async prepare() {
    const raws = inboundMessages(MESSAGES);
    const rate = async (work: (raw: Buffer) => Promise<unknown>, rates: number[]) => {
      const begin = performance.now();
      for (const raw of raws) await work(raw);
      const perSecond = (MESSAGES * 1_000) / (performance.now() - begin);
      rates.push(perSecond);
      return perSecond;
    };
    const ours: number[] = [];
    const bare: number[] = [];
    return {
      ours: () => rate(classifyRaw, ours),
      ceiling: () => rate((raw) => PostalMime.parse(raw), bare),
      note: () => `the first ${MESSAGES} messages of a process: ${Math.round(ours[0] ?? 0)}/s, bare ${Math.round(bare[0] ?? 0)}/s`,
    };
  },
};
