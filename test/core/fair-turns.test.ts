import { describe, expect, it } from 'vitest';
import { FairTurns, type Owner } from '../../src/core/fair-turns.ts';

const key = (group: string, member: string): Owner => ({ group, member: `${group}${member}` });

/** Turns that are taken, in the order in which they began; each ends when the test says so. */
function recorded(turns: FairTurns) {
  const begun: string[] = [];
  const ends: Record<string, () => void> = {};
  const take = async (owner: Owner, name: string) => {
    const end = await turns.take(owner);
    begun.push(name);
    ends[name] = end;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    async take(owner: Owner, ...names: string[]) {
      // What still waits at the end of a test is refused later.
      for (const name of names) void take(owner, name).catch(() => undefined);
      await settled();
    },
    async end(name: string) {
      ends[name]?.();
      await settled();
    },
  };
}

describe('fair turns', () => {
  const most = { all: 4, group: 3, member: 2 };

  it('no member, no group and not all together hold more than they may', async () => {
    const turns = recorded(new FairTurns(most, 1_000));
    await turns.take(key('A', '1'), 'a1', 'a2', 'a3');
    expect(turns.begun).toEqual(['a1', 'a2']);
    await turns.take(key('A', '2'), 'b1', 'b2');
    expect(turns.begun).toEqual(['a1', 'a2', 'b1']);
    await turns.take(key('B', '1'), 'c1', 'c2');
    expect(turns.begun).toEqual(['a1', 'a2', 'b1', 'c1']);
  });

  it('what is freed goes to the group that holds the fewest, then to the member that holds the fewest, then to who came first', async () => {
    const turns = recorded(new FairTurns(most, 1_000));
    await turns.take(key('A', '1'), 'a1', 'a2', 'a3', 'a4');
    await turns.take(key('B', '1'), 'b1', 'b2');
    await turns.take(key('A', '2'), 'c1');
    await turns.take(key('C', '1'), 'd1');
    expect(turns.begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await turns.end('a1');
    expect(turns.begun.slice(4)).toEqual(['d1']);
    await turns.end('b1');
    // Both groups hold one; c1 is of a member that holds none, though a3 came first.
    expect(turns.begun.slice(5)).toEqual(['c1']);
    await turns.end('b2');
    expect(turns.begun.slice(6)).toEqual(['a3']);
  });

  it('among equals nobody is passed over for ever', async () => {
    const turns = recorded(new FairTurns({ all: 1, group: 1, member: 1 }, 1_000));
    await turns.take(key('A', '1'), 'a1', 'a2', 'a3');
    await turns.take(key('B', '1'), 'b1');
    for (const name of ['a1', 'a2']) await turns.end(name);
    expect(turns.begun).toEqual(['a1', 'a2', 'a3']);
    await turns.end('a3');
    expect(turns.begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('who waits too long is refused, and takes no turn afterwards', async () => {
    const turns = new FairTurns({ all: 1, group: 1, member: 1 }, 5);
    const end = await turns.take(key('A', '1'));
    await expect(turns.take(key('B', '1'))).rejects.toMatchObject({ code: 'too_many_requests' });
    end();
    const later = await turns.take(key('C', '1'));
    later();
  });

  it('a turn ends when its work fails', async () => {
    const turns = new FairTurns({ all: 1, group: 1, member: 1 }, 50);
    await expect(turns.run(key('A', '1'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(turns.run(key('A', '1'), async () => 'yes')).resolves.toBe('yes');
  });
});
