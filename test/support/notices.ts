import { expect } from 'vitest';
import { classifyRaw } from '../../src/mail/classify/index.ts';
import { message } from './inbound-mail.ts';

/** The recipient whom the invented notices are about. */
export const ADA = 'ada@recipient.example';

/** The part of the email that a server returns. */
export const RETURNED = `Received: from mx.example by relay; Mon, 6 Jul 2026 10:00:00 +0000
Message-ID: <abc@example.com>
From: Zoe <zoe@example.com>
To: ${ADA}
Subject: Hello
Date: Mon, 6 Jul 2026 10:00:00 +0000

Hello Ada`;

export type Notice = [name: string, verdict: string, headers: Record<string, string>, body: string];

/** Expects the verdict of a notice; of a bounce or a delay, also its recipient. */
export async function expectVerdict(...[, verdict, headers, body]: Notice): Promise<void> {
  const raw = message({ 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body.split('\n'));
  const { result } = await classifyRaw(Buffer.from(raw));
  const about = /bounce|delay/.test(verdict) ? { recipient: ADA } : {};
  expect(result).toMatchObject({ verdict, ...about });
}
