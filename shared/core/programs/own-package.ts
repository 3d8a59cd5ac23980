import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { delimiter, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isPythonCommand } from './bounded-command.ts'

const shared = join(import.meta.dirname, '../..')
const extension = extname(import.meta.filename)

/** The exports of package.json that users' files import, with the path of each in `shared/`. */
export const ownExports: Readonly<Record<string, string>> = {
  'espalier/client': 'core/client/client',
  'espalier/environment': 'environments/environment',
  'espalier/errors': 'core/contracts/errors',
  'espalier/method': 'play/methods/authoring',
  'espalier/scorer': 'core/contracts/scoring',
}

const ownPython = join(shared, '../clients/python/src')

let isRegistered = false

/**
 * Lets modules outside the repository import `espalier/method` and the like without an install. This process's own
 * files answer, so that a module and its service have one version. Idempotent.
 */
export function resolveOwnPackage(): void {
  if (isRegistered) return
  isRegistered = true
  registerHooks({
    resolve(specifier, context, next) {
      const file = ownExports[specifier]
      if (file === undefined) return next(specifier, context)
      const path = join(shared, `${file}${extension}`)
      // A bundle has no such file.
      return next(existsSync(path) ? pathToFileURL(path).href : specifier, context)
    },
  })
}

export function importingOwnPackage(): string[] {
  const own = JSON.stringify(pathToFileURL(import.meta.filename).href)
  const text = `import { resolveOwnPackage } from ${own}; resolveOwnPackage()`
  return ['--import', `data:text/javascript,${encodeURIComponent(text)}`]
}

/**
 * Lets a Python program import `espalier` without an install, in the version of its service. Folders that
 * `PYTHONPATH` names already come first.
 */
export function withOwnPython(
  [file = '']: readonly string[],
  variables: Readonly<NodeJS.ProcessEnv>,
): NodeJS.ProcessEnv {
  if (!isPythonCommand(file) || !existsSync(ownPython)) return variables
  const { PYTHONPATH: named } = variables
  return { ...variables, PYTHONPATH: named ? `${named}${delimiter}${ownPython}` : ownPython }
}
