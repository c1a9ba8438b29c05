import { conflict, messageOf, OutreachError } from '../core/errors.ts';
import { editedFile } from './edited-file.ts';
import { type Editor, openEditor } from './open-editor.ts';

/**
 * Lets a person change a text, such as the settings of a campaign, in their editor, and saves it. Throws `conflict` if nothing was changed
 * or the editor fails. If saving fails, the text is kept, and the error names its file.
 * @param name file name, such as `campaign-7.yaml`
 */
export async function writeSettings<Saved>(
  name: string,
  text: string,
  save: (changed: string) => Promise<Saved>,
  editor?: Editor,
): Promise<Saved> {
  const file = editedFile(name, text);
  try {
    await openEditor(file.path, editor);
    const changed = file.read();
    if (changed === text) throw conflict('nothing was changed');
    const saved = await save(changed);
    file.remove();
    return saved;
  } catch (error) {
    if (file.read() === text) {
      file.remove();
      throw error;
    }
    const code = error instanceof OutreachError ? error.code : 'internal_error';
    throw new OutreachError(code, `${messageOf(error)}; your changes are kept in ${file.path}`, { cause: error });
  }
}
