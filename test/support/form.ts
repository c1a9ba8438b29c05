/** Makes a form for multipart/form-data: `file` as a file, an array as a field for each item, all else as text. */
export function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file') form.append(name, new Blob([String(value)]), 'people.csv');
    else for (const one of [value].flat()) form.append(name, typeof one === 'string' ? one.toWellFormed() : String(JSON.stringify(one)));
  }
  return form;
}
