import { messageOf, OutreachError } from '../core/errors.ts';
import { type Answered, answerDraft, answerIn } from './answer-draft.ts';
import { type EditedFile, editedFile } from './edited-file.ts';
import { type Editor, openEditor } from './open-editor.ts';

/** The person left the editor without an answer, which is not a failure. */
export class NothingWritten extends OutreachError {
  constructor() {
    super('conflict', 'nothing was written, and nothing was sent');
  }
}

/**
 * Lets a person write an answer in their editor, with the message quoted below, and sends it. Throws `NothingWritten` for an empty answer,
 * and `conflict` if the editor fails. If sending fails, the answer is kept, and the error names its file.
 * @param begun text that is already written
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
    throw withKeptAnswer(file, error);
  }
}

/** Adds the file in which the answer is kept to an error. */
function withKeptAnswer(file: EditedFile, error: unknown): unknown {
  const text = answerIn(file.read());
  if (text === '') {
    file.remove();
    return error;
  }
  file.write(`${text}\n`);
  const code = error instanceof OutreachError ? error.code : 'internal_error';
  return new OutreachError(code, `${messageOf(error)}; your answer is kept in ${file.path}`, { cause: error });
}
