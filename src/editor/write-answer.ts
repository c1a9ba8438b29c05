import { messageOf, OutreachError } from '../core/errors.ts';
import { type Answered, answerDraft, answerIn } from './answer-draft.ts';
import { type EditedFile, editedFile } from './edited-file.ts';
import { type Editor, openEditor } from './open-editor.ts';

/** The person left the editor without an answer, which is no failure. */
export class NothingWritten extends OutreachError {
  constructor() {
    super('conflict', 'nothing was written, and nothing was sent');
  }
}

/**
 * Lets a person write an answer in their editor, with the message quoted below, and sends it. Throws `NothingWritten` for an empty answer, and
 * `conflict` when the editor fails. The answer to a request that failed is kept; its error says in which file.
 * @param begun what is written already
 */
export async function writeAnswer<Sent>(
  id: number,
  message: Answered,
  send: (text: string) => Promise<Sent>,
  { begun, editor }: { begun?: string; editor?: Editor } = {},
): Promise<Sent> {
  const file = editedFile(`answer-${id}.txt`, answerDraft(message, begun));
  try {
    await openEditor(file.path, editor);
    const text = answerIn(file.read());
    if (text === '') throw new NothingWritten();
    const sent = await send(text);
    file.remove();
    return sent;
  } catch (error) {
    throw keeping(file, error);
  }
}

/** The error, with the file that an answer is kept in. */
function keeping(file: EditedFile, error: unknown): unknown {
  const text = answerIn(file.read());
  if (text === '') {
    file.remove();
    return error;
  }
  file.write(`${text}\n`);
  const code = error instanceof OutreachError ? error.code : 'internal_error';
  return new OutreachError(code, `${messageOf(error)}; your answer is kept in ${file.path}`, { cause: error });
}
