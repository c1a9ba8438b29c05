// Loaded for every command: `getBuiltinModule` takes what Node has loaded for itself, where an `import` reads all exports.
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { createRequire } = process.getBuiltinModule('node:module');
const { dirname, join, relative } = process.getBuiltinModule('node:path');
const { constants, Script } = process.getBuiltinModule('node:vm');

/**
 * Keeps the compiled code of the program's files beside them, in `.compile-cache`. Node's own cache holds what V8 compiles when it
 * loads a file; this one is written when the first run of a command ends, so it also holds the functions that were called. Compiling
 * those was a fifth of a start. Where the folder is not writable, the program runs without it.
 * @param dist the folder of the built program; the code of every `.cjs` file in it is kept
 */
export function keepCompiledCode(dist) {
  const require = createRequire(join(dist, 'any'));
  // V8 rejects what another version has compiled, or the same one with other flags, such as those of the daemon.
  const folder = join(dist, '.compile-cache', [process.version, process.arch, ...process.execArgv].join(' ').replaceAll(/[\\/]/g, ' '));
  const loaded = [];
  let command = '';
  require.extensions['.cjs'] = (target, path) => {
    const name = relative(dist, path);
    if (name.startsWith('commands')) command = name;
    const file = join(folder, name.replaceAll(/[\\/]/g, ' '));
    const { mtimeMs: modified } = statSync(path);
    const kept = read(file, modified);
    const source = readFileSync(path, 'utf8');
    const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${source}\n})`, {
      filename: path,
      cachedData: kept?.code,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    loaded.push({ file, modified, script, commands: kept === undefined || script.cachedDataRejected ? [] : kept.commands });
    script.runInThisContext()(target.exports, createRequire(path), target, path, dirname(path));
  };
  process.on('exit', () => {
    try {
      for (const { file, modified, script, commands } of loaded)
        if (!commands.includes(command)) write(file, { modified, commands: [...commands, command] }, script.createCachedData());
    } catch {
      // Not writable, or full: the next run compiles, too.
    }
  });
}

/** Reads what was kept of a file that was last modified then: a line of JSON, and what V8 made. */
function read(file, modified) {
  try {
    const kept = readFileSync(file);
    const end = kept.indexOf('\n');
    const about = JSON.parse(kept.toString('utf8', 0, end));
    return about.modified === modified ? { ...about, code: kept.subarray(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file as a whole: other commands read it meanwhile, and V8 checks no more of it than versions and lengths. */
function write(file, about, code) {
  const partial = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(partial, Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), code]));
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
