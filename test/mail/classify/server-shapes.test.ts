import { describe, expect, it } from 'vitest';
import { classifyRaw, type Verdict } from '../../../src/mail/classify/index.ts';
import { CHANGES, type Change, type Draft, draftOf } from '../../support/notices/changes.ts';
import { GATEWAYS } from '../../support/notices/gateways.ts';
import { MAIL_SERVERS } from '../../support/notices/mail-servers.ts';
import { rawNotice } from '../../support/notices/mime.ts';
import { NEWS, type News } from '../../support/notices/shape.ts';
import { ADA } from '../../support/notices.ts';
import { runs } from '../../support/runs.ts';

const RIGHT: Record<News, Verdict> = { gone: 'hard_bounce', full: 'soft_bounce', late: 'delay' };

/** Every notice of every server, unchanged. */
const NOTICES = [...MAIL_SERVERS, ...GATEWAYS].flatMap((shape) =>
  NEWS.flatMap((news) => {
    const draft = draftOf(shape, news);
    return draft === undefined ? [] : [{ name: `${shape.server}, ${news}`, news, draft }];
  }),
);

/** Returns the notices that, after these changes, get a wrong verdict or the wrong recipient. */
async function misread(changes: readonly Change[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { name, news, draft } of NOTICES) {
    const changed = changes.reduce<Draft>((each, change) => CHANGES[change](each), draft);
    const { verdict, recipient, reasons } = (await classifyRaw(rawNotice(changed))).result;
    if (verdict !== RIGHT[news] || recipient !== ADA) wrong.push(`${name}: ${verdict} about ${recipient} (${reasons.join('; ')})`);
  }
  return wrong;
}

const SINGLE = (Object.keys(CHANGES) as Change[]).map((change) => [change]);
const PAIRS = SINGLE.flatMap((one, index) => SINGLE.slice(index + 1).map((other) => [...one, ...other]));

describe(`the ${NOTICES.length} notices of ${MAIL_SERVERS.length + GATEWAYS.length} servers and gateways are known`, () => {
  it('as they are sent', async () => expect(await misread([])).toEqual([]));

  const chosen = [...SINGLE, ...PAIRS].slice(0, runs(SINGLE.length, Number.POSITIVE_INFINITY));
  it.each(chosen.map((changes) => [changes.join(', '), changes] as const))('%s', async (_, changes) =>
    expect(await misread(changes)).toEqual([]));

  it('by their words, sender and subject alone', async () =>
    expect(await misread(['without delivery status', 'without what it returns', 'without envelope sender'])).toEqual([]));
});

describe('whoever sends one on has written, and not the server', () => {
  const from = 'Ada Lovelace <ada@recipient.example>';
  const FORWARDED: Record<string, (draft: Draft) => Draft> = {
    'as a quotation': (draft) => ({
      ...{ ...draft, from, subject: `Fwd: ${draft.subject}`, returnPath: '<ada@recipient.example>', status: null, returned: null },
      text: `Zoe, this came back. Do you have another address?\n\n---------- Forwarded message ----------\nFrom: ${draft.from}\nSubject: ${draft.subject}\n\n${draft.text}`,
    }),
    'as an attachment': (draft) => ({
      ...{ ...draft, returnPath: '<ada@recipient.example>' },
      attachedTo: { from, subject: `Fwd: ${draft.subject}`, date: 'Mon, 6 Jul 2026 11:00:00 +0000', text: 'This came back, Zoe.' },
    }),
  };

  it.each(Object.entries(FORWARDED))('%s', async (_, forward) => {
    const taken: string[] = [];
    for (const { name, draft } of NOTICES) {
      const { verdict, reasons } = (await classifyRaw(rawNotice(forward(draft)))).result;
      if (verdict !== 'reply') taken.push(`${name}: ${verdict} (${reasons.join('; ')})`);
    }
    expect(taken).toEqual([]);
  });
});
