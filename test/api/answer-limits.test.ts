import { describe, expect, it } from 'vitest';
import { AnswerLimits } from '../../src/api/answer-limits.ts';

const MEBIBYTE = 1024 * 1024;
/** 16 MiB for all, 8 for a workspace. */
const limits = () => new AnswerLimits(24 * 16 * MEBIBYTE);
const of = (group: number) => ({ group, member: group });

describe('Room for answers', () => {
  it('one answer has at most the share of its workspace, however little is under way', () => {
    const room = limits().open(of(1));
    room.take(8 * MEBIBYTE);
    expect(() => room.take(1)).toThrow('the answer is larger than 8 MiB');
    expect(() => new AnswerLimits(1e12).open(of(1)).take(32 * MEBIBYTE + 1)).toThrow('the answer is larger than 32 MiB');
  });

  it('those of a workspace share it until they have been sent; the others have theirs', () => {
    const shared = limits();
    const [first, second, other, third] = [shared.open(of(1)), shared.open(of(1)), shared.open(of(2)), shared.open(of(3))];
    first.take(6 * MEBIBYTE);
    expect(() => second.take(3 * MEBIBYTE)).toThrow('too many large answers are under way');
    other.take(8 * MEBIBYTE);
    expect(() => third.take(3 * MEBIBYTE)).toThrow('too many large answers are under way');
    first.giveBack();
    shared.open(of(1)).take(3 * MEBIBYTE);
    shared.open(of(3)).take(3 * MEBIBYTE);
  });

  it('small answers need none, and what was given back is given back once', () => {
    const shared = limits();
    shared.open(of(1)).take(8 * MEBIBYTE);
    for (let count = 0; count < 1_000; count++) shared.open(of(1)).take(64 * 1024);
    const room = shared.open(of(2));
    room.take(8 * MEBIBYTE);
    room.giveBack();
    room.giveBack();
    shared.open(of(2)).take(8 * MEBIBYTE);
    expect(() => shared.open(of(2)).take(MEBIBYTE)).toThrow('too many large answers');
  });
});
