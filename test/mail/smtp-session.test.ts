import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Outcome, type SmtpLogin, SmtpSession } from '../../src/mail/smtp-session.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const USER = 'zoe@example.com';
const ENVELOPE = { from: USER, to: 'ada@example.org' };
const MESSAGE = Buffer.from('From: zoe@example.com\r\nSubject: Hello,\r\n world\r\n\r\n.dot\r\nBye\r\n');

let sink: SmtpSink;

beforeEach(async () => {
  sink = await startSmtpSink({ users: { [USER]: 'right' }, tokens: { [USER]: 'token' } });
});
afterEach(() => sink.close());

const login = (change: Partial<SmtpLogin> = {}): SmtpLogin => ({
  host: '127.0.0.1',
  port: sink.port,
  secure: false,
  requireTLS: false,
  user: USER,
  pass: 'right',
  name: 'localhost',
  ...change,
});

/** Long enough for a busy machine; the silent servers below are waited for as long. */
const SILENCE = { socketTimeout: 3_000, greetingTimeout: 3_000 };

async function opened(change: Partial<SmtpLogin> = {}): Promise<SmtpSession> {
  const session = await SmtpSession.open(login(change), SILENCE);
  if (!(session instanceof SmtpSession)) throw new Error(JSON.stringify(session));
  return session;
}

async function outcomeOf(change: Partial<SmtpLogin> = {}): Promise<Outcome> {
  const session = await SmtpSession.open(login(change), SILENCE);
  if (session instanceof SmtpSession) throw new Error('was let in');
  return session;
}

describe('one SMTP connection of an account', () => {
  it('sends one email after another, byte for byte', async () => {
    const session = await opened();
    expect(await session.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'accepted' });
    expect(await session.send({ ...ENVELOPE, to: 'bob@example.org' }, MESSAGE)).toMatchObject({ kind: 'accepted' });
    session.close();
    expect(sink.messages).toMatchObject([
      { from: USER, to: ['ada@example.org'], user: USER },
      { from: USER, to: ['bob@example.org'] },
    ]);
    expect(sink.messages[0]?.raw.equals(MESSAGE)).toBe(true);
    expect(sink.messages[0]?.headers.get('subject')).toBe('Hello, world');
    expect(sink.logins).toBe(1);
  });

  describe('sends one message to several recipients', () => {
    const to = { ...ENVELOPE, cc: ['bob@example.org', 'cy@example.org'] };
    const refuse = (address: string, code: number) => sink.misbehave('rcpt', { code, text: `5.1.1 not ${address}` }, { to: address });
    const cases: [string, [address: string, code: number][], object, string[]][] = [
      ['all taken', [], { kind: 'accepted', refused: [] }, ['ada@example.org', 'bob@example.org', 'cy@example.org']],
      [
        'a copy refused',
        [['bob@example.org', 550]],
        { kind: 'accepted', refused: [{ address: 'bob@example.org', text: '550 5.1.1 not bob@example.org' }] },
        ['ada@example.org', 'cy@example.org'],
      ],
      [
        'the recipient refused, the copies taken',
        [['ada@example.org', 550]],
        { kind: 'accepted', refused: [{ address: 'ada@example.org', text: '550 5.1.1 not ada@example.org' }] },
        ['bob@example.org', 'cy@example.org'],
      ],
      [
        'all refused: what the server said of the recipient counts',
        [
          ['ada@example.org', 550],
          ['bob@example.org', 451],
          ['cy@example.org', 550],
        ],
        { kind: 'refused', phase: 'rcpt', code: 550, text: '550 5.1.1 not ada@example.org' },
        [],
      ],
    ];
    it.each(cases)('%s', async (_case, refusals, outcome, took) => {
      for (const [address, code] of refusals) refuse(address, code);
      const session = await opened();
      expect(await session.send(to, MESSAGE)).toMatchObject(outcome);
      sink.behave();
      expect(await session.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'accepted', refused: [] });
      session.close();
      expect(sink.messages.map(({ to: recipients }) => recipients)).toEqual([...(took.length > 0 ? [took] : []), ['ada@example.org']]);
    });
  });

  it('logs in with an OAuth 2.0 token', async () => {
    (await opened({ pass: undefined, accessToken: 'token' })).close();
    expect(await outcomeOf({ pass: undefined, accessToken: 'stale' })).toMatchObject({ kind: 'refused', phase: 'auth', code: 535 });
  });

  it('tells a wrong password, a refusing and a silent server apart', async () => {
    expect(await outcomeOf({ pass: 'wrong' })).toMatchObject({ kind: 'refused', phase: 'auth', code: 535 });
    sink.misbehave('connect', { code: 421, text: 'busy' }, { times: 1 });
    expect(await outcomeOf()).toMatchObject({ kind: 'refused', phase: 'connect', code: 421 });
    sink.misbehave('connect', 'stall', { times: 1 });
    expect(await outcomeOf()).toMatchObject({ kind: 'unsent', phase: 'connect' });
    sink.misbehave('auth', 'close', { times: 1 });
    expect(await outcomeOf()).toMatchObject({ kind: 'unsent' });
  });

  it('goes on with the next recipient after a refusal', async () => {
    sink.misbehave('rcpt', { code: 550, text: '5.1.1 no such user' }, { to: 'ada@example.org' });
    sink.misbehave('mail', { code: 451, text: '4.3.0 later' }, { times: 1 });
    sink.misbehave('data', { code: 554, text: '5.7.1 spam' }, { to: 'cleo@example.org' });
    const session = await opened();
    expect(await session.send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'refused', phase: 'mail', code: 451 });
    expect(await session.send(ENVELOPE, MESSAGE)).toMatchObject({
      kind: 'refused',
      phase: 'rcpt',
      code: 550,
      text: '550 5.1.1 no such user',
    });
    expect(await session.send({ ...ENVELOPE, to: 'cleo@example.org' }, MESSAGE)).toMatchObject({
      kind: 'refused',
      phase: 'data',
      code: 554,
    });
    expect(await session.send({ ...ENVELOPE, to: 'bob@example.org' }, MESSAGE)).toMatchObject({ kind: 'accepted' });
    session.close();
    expect(sink.messages.map((message) => message.to)).toEqual([['bob@example.org']]);
  });

  it('a connection lost before the message is unsent, after its final dot uncertain', async () => {
    sink.misbehave('data', 'close', { times: 1 });
    expect(await (await opened()).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'unsent' });
    expect(sink.messages).toHaveLength(0);
    sink.misbehave('data', 'drop', { times: 1 });
    expect(await (await opened()).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'uncertain' });
    expect(sink.messages).toHaveLength(1);
    sink.misbehave('data', 'lose', { times: 1 });
    expect(await (await opened()).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'uncertain' });
    sink.misbehave('data', 'stall', { times: 1 });
    expect(await (await opened()).send(ENVELOPE, MESSAGE)).toMatchObject({ kind: 'uncertain' });
    expect(sink.messages).toHaveLength(1);
  });

  it('an email of 30 MB cut in the middle is unsent', async () => {
    const session = await opened();
    sink.misbehave('data', 'drop');
    const sending = session.send(ENVELOPE, Buffer.concat([MESSAGE, Buffer.alloc(30_000_000, 'line of text\r\n')]));
    await sink.close();
    expect(await sending).toMatchObject({ kind: 'unsent' });
  });
});
