import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const run = promisify(execFile)

/**
 * Does jobs in one of the scripts of `python/`, without the network.
 *
 * @param beside - where packages lie that the script needs beside those of the virtual environment
 * @returns a result for each job
 */
export async function runPython<Result>(
  script: string,
  jobs: readonly object[],
  beside?: string,
): Promise<Result[]> {
  const folder = await mkdtemp(join(inject('folder'), 'python-'))
  const [asked, answered] = [join(folder, 'jobs.json'), join(folder, 'results.json')]
  await writeFile(asked, JSON.stringify(jobs))
  const quiet = {
    HF_HUB_OFFLINE: '1',
    HF_DATASETS_CACHE: join(folder, 'cache'),
    TRL_EXPERIMENTAL_SILENCE: '1',
  }
  const env = { ...process.env, ...quiet, ...(beside === undefined ? {} : { PYTHONPATH: beside }) }
  await run(inject('python'), [join(import.meta.dirname, 'python', script), asked, answered], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(await readFile(answered, 'utf8')) as Result[]
}
