import { execFile } from 'node:child_process'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const entry = join(root, 'cli/espalier.ts')
const prefix = 'loaded: '
const hook = `
import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) writeSync(2, '${prefix}' + url + '\\n')
    return next(url, context)
  },
})`

/** Runs the command in a process of its own. The result is the files that it loaded, from the root of the repository. */
export async function loadedBy(words: readonly string[]): Promise<string[]> {
  const register = `data:text/javascript,${encodeURIComponent(hook)}`
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', register, entry, ...words], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  })
  return stderr
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => relative(root, fileURLToPath(line.slice(prefix.length))))
}
