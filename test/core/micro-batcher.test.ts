import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MicroBatcher, type MicroBatcherOptions } from '../../src/core/micro-batcher.ts';

beforeEach(() => void vi.useFakeTimers());
// A spy on a fake timer gives the fake one back.
afterEach(() => void vi.restoreAllMocks().useRealTimers());

type Work = MicroBatcherOptions<string, string>['work'];
type Options = Omit<MicroBatcherOptions<string, string>, 'work'>;

const upperCase: Work = async (group) => group.map((item) => item.toUpperCase());

/** A batcher, the groups that it has begun, and what ends the oldest one that has not ended. */
function recorded(options: Options = {}, work: Work = upperCase) {
  const groups: string[] = [];
  const gates: (() => void)[] = [];
  const batcher = new MicroBatcher<string, string>({
    ...options,
    async work(group, rest) {
      groups.push(group.join(' '));
      await new Promise<void>((resolve) => gates.push(resolve));
      return work(group, rest);
    },
  });
  const addAll = (...items: string[]) => items.map((item) => batcher.add(item));
  /** Lets the oldest group end, and everything follow that needs neither a timer nor another turn. */
  const end = async () => {
    gates.shift()?.();
    for (let step = 0; step < 20; step++) await Promise.resolve();
  };
  return { batcher, groups, addAll, end };
}

it('a process that stood still while it set a timer sets none in the past, of which Node would warn', () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const added = performance.now();
  vi.spyOn(performance, 'now')
    .mockReturnValueOnce(added)
    .mockReturnValue(added + 60);
  recorded({ linger: 20 }).addAll('a');
  expect(timers).toHaveBeenCalledExactlyOnceWith(expect.any(Function), 0);
});

describe('without a linger', () => {
  it('the first item starts a group at the end of the turn, with whatever was added in the same turn', async () => {
    const { groups, addAll } = recorded();
    addAll('a', 'b');
    await Promise.resolve();
    addAll('c');
    expect(groups).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(groups).toEqual(['a b c']);
  });

  it('no timer is waited for, not even one of a millisecond', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { groups, addAll } = recorded();
    addAll('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(groups).toEqual(['a']);
    expect(timers).not.toHaveBeenCalled();
  });

  it('groups never overlap: what is added while one is carried out goes together into the next, at once when it ends', async () => {
    const { groups, addAll, end } = recorded();
    addAll('a');
    await vi.advanceTimersByTimeAsync(0);
    addAll('b');
    await vi.advanceTimersByTimeAsync(1_000);
    addAll('c');
    await vi.advanceTimersByTimeAsync(0);
    expect(groups).toEqual(['a']);
    await end();
    expect(groups).toEqual(['a', 'b c']);
    await end();
    addAll('d');
    await vi.advanceTimersByTimeAsync(0);
    expect(groups).toEqual(['a', 'b c', 'd']);
  });
});

describe('with a linger of 20 ms', () => {
  it('a group starts when its oldest item has waited 20 ms, however late the others came', async () => {
    const { groups, addAll } = recorded({ linger: 20 });
    addAll('a');
    await vi.advanceTimersByTimeAsync(19);
    addAll('b');
    expect(groups).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(groups).toEqual(['a b']);
  });

  it('time spent behind another group counts: the next one starts 20 ms after its oldest item came', async () => {
    const { groups, addAll, end } = recorded({ linger: 20 });
    addAll('a');
    await vi.advanceTimersByTimeAsync(20);
    addAll('b');
    await vi.advanceTimersByTimeAsync(15);
    await end();
    expect(groups).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(5);
    expect(groups).toEqual(['a', 'b']);
    addAll('c');
    await vi.advanceTimersByTimeAsync(60);
    await end();
    expect(groups).toEqual(['a', 'b', 'c']);
  });
});

describe('begin', () => {
  it('starts what waits without lingering, and resolves without waiting for its end', async () => {
    const { batcher, groups, addAll } = recorded({ linger: 20 });
    addAll('a', 'b');
    await batcher.begin();
    expect(groups).toEqual(['a b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('behind another group, resolves when that has ended and what waited is carried out', async () => {
    const { batcher, groups, addAll, end } = recorded({ linger: 20 });
    addAll('a');
    await vi.advanceTimersByTimeAsync(20);
    addAll('b');
    const begun = vi.fn();
    void batcher.begin().then(begun);
    await vi.advanceTimersByTimeAsync(100);
    expect(begun).not.toHaveBeenCalled();
    await end();
    expect(begun).toHaveBeenCalledOnce();
    expect(groups).toEqual(['a', 'b']);
    expect(batcher.size).toBe(0);
  });
});

describe('flush', () => {
  it('starts what waits without lingering, and resolves when it has ended', async () => {
    const { batcher, groups, addAll, end } = recorded({ linger: 20 });
    addAll('a', 'b');
    const flushed = vi.fn();
    void batcher.flush().then(flushed);
    expect(groups).toEqual(['a b']);
    await vi.advanceTimersByTimeAsync(100);
    expect(flushed).not.toHaveBeenCalled();
    await end();
    expect(flushed).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for the group under way too, and not for what is added later', async () => {
    const { batcher, groups, addAll, end } = recorded({ linger: 20 });
    addAll('a');
    await vi.advanceTimersByTimeAsync(20);
    addAll('b');
    const flushed = vi.fn();
    void batcher.flush().then(flushed);
    await end();
    addAll('c');
    expect(groups).toEqual(['a', 'b']);
    expect(flushed).not.toHaveBeenCalled();
    await end();
    expect(flushed).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(20);
    expect(groups).toEqual(['a', 'b', 'c']);
  });

  it('waits for the group under way when nothing else waits', async () => {
    const { batcher, addAll, end } = recorded();
    addAll('a');
    await vi.advanceTimersByTimeAsync(0);
    const flushed = vi.fn();
    void batcher.flush().then(flushed);
    await vi.advanceTimersByTimeAsync(100);
    expect(flushed).not.toHaveBeenCalled();
    await end();
    expect(flushed).toHaveBeenCalledOnce();
  });

  it('resolves at once when nothing waits', async () => {
    await recorded().batcher.flush();
  });

  it('resolves when a group fails: the error is for those who added its items', async () => {
    const { batcher, addAll, end } = recorded({ linger: 20 }, () => Promise.reject(new Error('no space left')));
    const [result] = addAll('a');
    const refused = expect(result).rejects.toThrow('no space left');
    const flushed = batcher.flush();
    await end();
    await flushed;
    await refused;
  });
});

describe('one item of each key', () => {
  it('the others wait for the next group, in their order, and the next group starts at once', async () => {
    const { groups, addAll, end } = recorded({ onePer: (item) => item[0] });
    addAll('a1', 'b1', 'a2', 'c1', 'a3', 'b2');
    await vi.advanceTimersByTimeAsync(0);
    for (let group = 0; group < 3; group++) await end();
    expect(groups).toEqual(['a1 b1 c1', 'a2 b2', 'a3']);
  });

  it('holds for flushed items as well', async () => {
    const { batcher, groups, addAll, end } = recorded({ linger: 20, onePer: (item) => item[0] });
    addAll('a1', 'a2');
    const flushed = batcher.flush();
    await end();
    await end();
    await flushed;
    expect(groups).toEqual(['a1', 'a2']);
  });
});

describe('a minimum age of 3 s and a linger of 4 s', () => {
  const options = { linger: 4_000, minAge: 3_000 };

  it('an item joins a group when it is 3 s old; younger ones stay behind, and the group sees them', async () => {
    const rests: string[] = [];
    const { groups, addAll, end } = recorded(options, async (group, rest) => {
      rests.push(rest.join(' '));
      return group.map(String);
    });
    addAll('a');
    await vi.advanceTimersByTimeAsync(1_000);
    addAll('b');
    await vi.advanceTimersByTimeAsync(1);
    addAll('c', 'd');
    await vi.advanceTimersByTimeAsync(2_998);
    expect(groups).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(groups).toEqual(['a b']);
    await end();
    expect(rests).toEqual(['c d']);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(groups).toEqual(['a b', 'c d']);
  });

  it('a flush takes the young ones too', async () => {
    const { batcher, groups, addAll } = recorded(options);
    addAll('a');
    void batcher.flush();
    expect(groups).toEqual(['a']);
  });

  it('no group starts before its oldest item has the age, where the linger is shorter, nor does a timer look for one', async () => {
    const { groups, addAll } = recorded({ linger: 20, minAge: 3_000 });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    addAll('a');
    await vi.advanceTimersByTimeAsync(2_999);
    expect(groups).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(groups).toEqual(['a']);
    expect(timers).toHaveBeenCalledOnce();
  });
});

describe('results', () => {
  it('each item gets its own, by its place in the group', async () => {
    const { addAll, end } = recorded();
    const results = addAll('a', 'b');
    await vi.advanceTimersByTimeAsync(0);
    await end();
    expect(await Promise.all(results)).toEqual(['A', 'B']);
  });

  it('one that is a promise keeps neither its neighbours nor the next group waiting, and may fail alone', async () => {
    const slow = Promise.withResolvers<string>();
    const { groups, addAll, end } = recorded({}, async (group) => group.map((item) => (item === 'slow' ? slow.promise : item)));
    const [first, second] = addAll('slow', 'fast');
    await vi.advanceTimersByTimeAsync(0);
    await end();
    expect(await second).toBe('fast');
    addAll('next');
    await vi.advanceTimersByTimeAsync(0);
    expect(groups).toEqual(['slow fast', 'next']);
    slow.reject(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
  });

  it('a group that fails fails for all its items and for no other', async () => {
    const { addAll, end } = recorded({}, async (group) => {
      if (group.includes('bad')) throw new Error('no such group');
      return group.map(String);
    });
    const failing = addAll('bad', 'neighbour').map((result) => expect(result).rejects.toThrow('no such group'));
    await vi.advanceTimersByTimeAsync(0);
    const [later] = addAll('later');
    await end();
    await Promise.all(failing);
    await end();
    expect(await later).toBe('later');
  });

  it('work that answers for fewer items than it was given fails for all: nobody gets the answer of another', async () => {
    const { addAll, end } = recorded({}, async () => ['one']);
    const failing = addAll('a', 'b').map((result) => expect(result).rejects.toThrow('1 results for a group of 2'));
    await vi.advanceTimersByTimeAsync(0);
    await end();
    await Promise.all(failing);
  });
});

it('size is what waits: neither the group under way nor what has ended', async () => {
  const { batcher, addAll, end } = recorded();
  addAll('a', 'b');
  expect(batcher.size).toBe(2);
  await vi.advanceTimersByTimeAsync(0);
  addAll('c');
  expect(batcher.size).toBe(1);
  await end();
  await end();
  expect(batcher.size).toBe(0);
});

it('whatever comes when: each item is carried out once, old enough, in order of its key, and never beside another group', async () => {
  const step = fc.oneof(
    fc.record({ add: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ pass: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ flush: fc.constant(true) }),
  );
  const rules = fc.record({ linger: fc.integer({ min: 0, max: 20 }), minAge: fc.integer({ min: 0, max: 20 }) });
  await fc.assert(
    fc.asyncProperty(rules, fc.integer({ min: 0, max: 25 }), fc.array(step, { maxLength: 40 }), async (times, duration, steps) => {
      const added: { key: string; place: number; since: number; isFlushed: boolean }[] = [];
      const done: typeof added = [];
      let underWay = 0;
      const batcher = new MicroBatcher<(typeof added)[number], number>({
        ...times,
        onePer: ({ key }) => key,
        async work(group) {
          expect(++underWay).toBe(1);
          expect(new Set(group.map(({ key }) => key)).size).toBe(group.length);
          for (const item of group) expect(item.isFlushed || performance.now() - item.since >= times.minAge).toBe(true);
          await new Promise((resolve) => setTimeout(resolve, duration));
          done.push(...group);
          underWay--;
          return group.map(({ place }) => place);
        },
      });
      const results: Promise<number>[] = [];
      for (const one of steps) {
        if ('add' in one) {
          const item = { key: one.add, place: added.length, since: performance.now(), isFlushed: false };
          added.push(item);
          results.push(batcher.add(item));
        } else if ('pass' in one) await vi.advanceTimersByTimeAsync(one.pass);
        else {
          for (const item of added) item.isFlushed = true;
          void batcher.flush();
        }
      }
      await vi.runAllTimersAsync();
      expect(await Promise.all(results)).toEqual(added.map(({ place }) => place));
      for (const key of ['a', 'b', 'c']) expect(done.filter((item) => item.key === key)).toEqual(added.filter((item) => item.key === key));
    }),
  );
});
