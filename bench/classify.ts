import PostalMime from 'postal-mime';
import { classifyRaw } from '../src/mail/classify/index.ts';
import { inboundMessages } from './inbound-messages.ts';
import type { Measurement } from './measure.ts';

const MESSAGES = 2_000;

/** Messages parsed and classified per second, against bare postal-mime, which only parses them. */
export const classifyRow: Measurement = {
  name: 'classify',
  unit: 'messages/s',
  async prepare() {
    const raws = inboundMessages(MESSAGES);
    const rate = async (work: (raw: Buffer) => Promise<unknown>) => {
      const begin = performance.now();
      for (const raw of raws) await work(raw);
      return (MESSAGES * 1_000) / (performance.now() - begin);
    };
    return { ours: () => rate(classifyRaw), ceiling: () => rate((raw) => PostalMime.parse(raw)), close: async () => undefined };
  },
};
