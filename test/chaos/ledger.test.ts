import { describe, expect, it } from 'vitest';
import { judge } from '../support/ledger.ts';

const email = (recipient: string, state: string) => ({ id: 1, recipient, step_order: 1, state });

describe('The judgement of a run', () => {
  it('finds nothing against a ledger that agrees with the servers', () => {
    const ledger = [email('a', 'accepted'), email('b', 'unknown'), email('c', 'unknown'), email('d', 'withdrawn')];
    expect(judge(['a 1', 'b 1'], ledger)).toEqual({
      ...{ sent: 1, unknown: 2, unknownArrived: 1 },
      ...{ doubled: [], lost: [], unexplained: [], open: [] },
    });
  });

  it('finds an email that arrived twice', () => {
    expect(judge(['a 1', 'a 1'], [email('a', 'accepted')]).doubled).toEqual(['a 1']);
  });

  it('finds an email that the ledger has as sent, and that never arrived', () => {
    expect(judge([], [email('a', 'accepted')]).lost).toEqual(['a 1']);
  });

  it.each(['retry', 'failed', 'withdrawn', 'claimed'])('finds an email that arrived, and that the ledger has as %s', (state) => {
    expect(judge(['a 1'], [email('a', state)]).unexplained).toEqual(['a 1']);
  });

  it('finds an email that arrived, and of which the ledger knows nothing', () => {
    expect(judge(['a 1'], []).unexplained).toEqual(['a 1']);
  });

  it.each(['claimed', 'transmitting', 'retry', 'uncertain'])('finds an email that is left %s', (state) => {
    expect(judge([], [email('a', state)]).open).toEqual(['a 1']);
  });
});
