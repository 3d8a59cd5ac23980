import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Check, ok, warn } from './check.ts'

const run = promisify(execFile)
const name = 'hosts'

/**
 * Checks that hosts of ScienceWorld and alfworld-textworld can start on this machine: both need Python, ScienceWorld
 * also Java.
 * @param variables environment variables: `ESPALIER_PYTHON` and `PATH`
 */
export async function checkHosts(variables: Readonly<Record<string, string | undefined>>): Promise<Check> {
  const { ESPALIER_PYTHON: python = 'python3' } = variables
  const [hasPython, hasJava] = await Promise.all([
    starts(python, '--version', variables),
    starts('java', '-version', variables),
  ])
  if (hasPython && hasJava)
    return ok(name, 'started when a run needs them; Python and Java for ScienceWorld are here')
  const missing = [...(hasPython ? [] : [`Python (${python})`]), ...(hasJava ? [] : ['Java'])].join(' and ')
  const cannot = hasPython ? 'scienceworld cannot' : 'scienceworld and alfworld-textworld cannot'
  return warn(
    name,
    `${cannot} be played: ${missing} cannot be started`,
    'Install Python 3.11 or later (or name one in ESPALIER_PYTHON) and Java 17. All else works without them.',
  )
}

async function starts(
  program: string,
  flag: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  try {
    await run(program, [flag], { env: { ...env }, timeout: 10_000 })
    return true
  } catch {
    return false
  }
}
