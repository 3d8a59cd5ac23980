import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pythonCure } from '../../core/programs/python-cure.ts'
import { chromiumCure, lackingChromium } from '../browser/find-chromium.ts'
import type { ImageFacts } from '../image-facts.ts'

export type RuntimeVariables = Readonly<Record<string, string | undefined>>

export interface MissingRuntime {
  missing: string
  cure: string
}

export type RuntimeCheck = (variables: RuntimeVariables) => Promise<MissingRuntime[]>

const run = promisify(execFile)
const longestVersionMilliseconds = 20_000

const listAbsent =
  'import importlib.util as u, sys; print(*[name for name in sys.argv[1:] if u.find_spec(name) is None])'

export function pythonWith(
  { id, folder }: Pick<ImageFacts, 'id' | 'folder'>,
  packages: readonly string[],
): RuntimeCheck {
  const requirements = join(import.meta.dirname, '../../..', folder, 'requirements.txt')
  return async (variables) => {
    const python = pythonOf(variables)
    const absent = await outputOf([python, '-c', listAbsent, ...packages], variables)
    const own = `~/${id}`
    const install = `python3 -m venv ${own} && ${own}/bin/pip install -r ${requirements}`
    const packaged = `install its packages: ${install}. Start Espalier with ESPALIER_PYTHON=${own}/bin/python.`
    if (absent === null)
      return [{ missing: `Python (${python}) cannot be started.`, cure: `${pythonCure} Then ${packaged}` }]
    const names = absent.trim().replaceAll(' ', ', ')
    if (names === '') return []
    return [{ missing: `Python (${python}) lacks ${names}.`, cure: `I${packaged.slice(1)}` }]
  }
}

export const java: RuntimeCheck = async (variables) => {
  if ((await outputOf(['java', '-version'], variables)) !== null) return []
  const cure = 'Install Java 17: apt-get install --yes openjdk-17-jre-headless.'
  return [{ missing: 'Java cannot be started.', cure }]
}

export const chromium: RuntimeCheck = async (variables) => {
  const missing = lackingChromium(variables)
  return missing === null ? [] : [{ missing, cure: chromiumCure }]
}

export function pythonOf({ ESPALIER_PYTHON: python = 'python3' }: RuntimeVariables): string {
  return python
}

async function outputOf(
  [file = '', ...words]: readonly string[],
  variables: RuntimeVariables,
): Promise<string | null> {
  try {
    return (await run(file, words, { env: { ...variables }, timeout: longestVersionMilliseconds })).stdout
  } catch {
    return null
  }
}
