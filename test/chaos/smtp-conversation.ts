/** The places in the conversation about an email where its sender can be caught. */
export type Place = 'before DATA' | 'inside a message' | 'after the final dot' | 'after the reply';

/** The places that a chunk reaches, each with the bytes of the chunk that still pass there. */
export type Reached = Partial<Record<Place, number>>;

const END = Buffer.from('\r\n.\r\n');

/** Follows an SMTP conversation (RFC 5321 §4.1.1.4) chunk by chunk, as far as the transfer of messages goes. */
export class SmtpConversation {
  #phase: 'commands' | 'asked for DATA' | 'content' | 'ended' = 'commands';
  #isFirst = false;
  #tail = Buffer.alloc(0);

  /** Reads data from the client, before it is forwarded. */
  fromClient(chunk: Buffer): Reached {
    if (this.#phase === 'content') return this.#content(chunk);
    if (!/(^|\n)DATA\r\n$/i.test(chunk.toString('latin1'))) return {};
    this.#phase = 'asked for DATA';
    return { 'before DATA': 0 };
  }

  #content(chunk: Buffer): Reached {
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-END.length);
    if (this.#tail.equals(END)) this.#phase = 'ended';
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst ? { 'inside a message': Math.floor(chunk.length / 2) } : {};
  }

  /** Reads replies of the server, before they are forwarded. Replies to pipelined commands may share a chunk (RFC 2920). */
  fromServer(chunk: Buffer): Reached {
    const replies = chunk.toString('latin1');
    if (this.#phase === 'asked for DATA' && /^354/m.test(replies)) {
      this.#phase = 'content';
      this.#isFirst = true;
      this.#tail = Buffer.alloc(0);
    } else if (this.#phase === 'asked for DATA' && /^[45]/m.test(replies)) {
      this.#phase = 'commands';
    } else if (this.#phase === 'ended') {
      this.#phase = 'commands';
      return { 'after the final dot': 0, 'after the reply': chunk.length };
    }
    return {};
  }
}
