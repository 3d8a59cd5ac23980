import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { findPythonEnvironment, type WantedEnvironment } from '../../core/programs/python-environment.ts'
import type { BrowsergymRegistration } from './registration.ts'

const programs = join(import.meta.dirname, '../../../containers/browsergym')

const longestList = 120_000

const listSchema = z.object({
  version: z.string(),
  names: z.array(z.string()),
  nondeterministic: z.array(z.string()),
  actions: z.string(),
})

export type BrowsergymList = z.infer<typeof listSchema> & { python: string }

export function browsergymPackages(
  { requirements }: Pick<BrowsergymRegistration, 'requirements'>,
  folder: string,
  variables: NodeJS.ProcessEnv,
): WantedEnvironment {
  const own = requirements === undefined ? join(programs, 'requirements.txt') : resolve(folder, requirements)
  return { requirements: own, variables }
}

export function browsergymModule({ benchmark, module }: BrowsergymRegistration): string {
  return module ?? `browsergym.${benchmark}`
}

/**
 * Asks the gym for a benchmark's tasks.
 * @param place the id and folder of `environments.json`
 * @throws EspalierError `not_supported` for packages that are not installed, with the command that installs them;
 * `invalid_request` for a benchmark that the packages do not have
 */
export async function listBrowsergymTasks(
  place: { id: string; folder: string; variables: NodeJS.ProcessEnv },
  registration: BrowsergymRegistration,
  actionSubsets: readonly string[],
): Promise<BrowsergymList> {
  const { id, folder, variables } = place
  const { python, isInstalled } = await findPythonEnvironment(
    browsergymPackages(registration, folder, variables),
  )
  if (!isInstalled) {
    throw new EspalierError(
      'not_supported',
      `The Python packages of "${id}" are not installed. Install them once: espalier environments install ${id}`,
    )
  }
  const module = browsergymModule(registration)
  const { benchmark } = registration
  const settings = { module, benchmark, action_subsets: actionSubsets }
  const words = [join(programs, 'play_browsergym.py'), 'list', JSON.stringify(settings)]
  const { stdout } = await promisify(execFile)(python, words, { timeout: longestList }).catch((error) => {
    throw unlisted(id, module, error)
  })
  const listed = listSchema.parse(JSON.parse(stdout))
  if (listed.names.length > 0) return { ...listed, python }
  const param = `environments.${id}.benchmark`
  const message = `${param}: importing ${module} registers no task whose name begins with "${benchmark}.".`
  throw new EspalierError('invalid_request', message, { param })
}

function unlisted(id: string, module: string, error: unknown): EspalierError {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  const last = said.trim().split('\n').at(-1) ?? ''
  if (last.startsWith('ModuleNotFoundError')) {
    const param = `environments.${id}.requirements`
    const message = `${param}: importing ${module} fails with ${last}. Name a requirements file with the benchmark's package, and install it: espalier environments install ${id}`
    return new EspalierError('invalid_request', message, { param })
  }
  return new EspalierError('not_supported', `BrowserGym cannot list the tasks of "${id}": ${last}`, {
    cause: error,
  })
}
