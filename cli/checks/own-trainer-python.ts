import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { EspalierError } from '../../shared/core/contracts/errors.ts'

const run = promisify(execFile)

const program = `
import importlib.metadata as metadata, json
found = {}
for name in ["torch", "trl", "transformers", "datasets", "peft", "accelerate"]:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        found[name] = None
print(json.dumps(found))
`

/**
 * Makes a Python of the caller's the one of the local trainer, in `trainers.json` of the data folder. Other settings
 * of the file stay.
 * @returns the versions of its packages
 * @throws EspalierError `not_supported` if it does not start or lacks packages; then nothing is written
 */
export async function setTrainerPython(folder: string, python: string): Promise<Record<string, string>> {
  const path = python.includes('/') ? resolve(python) : python
  const found = await packagesOf(path)
  const missing = Object.keys(found).filter((name) => found[name] === null)
  if (missing.length > 0) {
    const message = `${path} lacks ${missing.join(', ')}. Install them there, or leave --python out for an environment of their own.`
    throw new EspalierError('not_supported', message, { param: 'python' })
  }
  const file = join(folder, 'trainers.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const configured = JSON.parse(text) as { local?: object }
  await mkdir(folder, { recursive: true })
  const changed = { ...configured, local: { ...configured.local, python: path } }
  await writeFile(file, `${JSON.stringify(changed, null, 2)}\n`)
  return found as Record<string, string>
}

async function packagesOf(python: string): Promise<Record<string, string | null>> {
  try {
    return JSON.parse((await run(python, ['-c', program])).stdout) as Record<string, string | null>
  } catch (error) {
    throw new EspalierError('not_supported', `${python} does not start. Name a Python with --python.`, {
      param: 'python',
      cause: error,
    })
  }
}
