import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { readTail, TrainerProcess } from '../program/trainer-process.ts'
import type { AdapterMerge } from '../trainer.ts'

const program = resolve(import.meta.dirname, '../../../../containers/trainer/merge.py')

const refused = 65
const shownLines = 5

/**
 * Merges an adapter into the weights of its base, in a process of the trainer's environment
 * (`containers/trainer/merge.py`).
 *
 * @param python - one with the packages of the trainer
 * @returns the names of the files in `output`
 * @throws EspalierError with the last lines of the process
 */
export async function mergeAdapter(
  { base, recipe, adapter, output }: AdapterMerge,
  python: string,
): Promise<string[]> {
  await mkdir(output, { recursive: true })
  const folder = await mkdtemp(join(output, '../merge-'))
  try {
    const job = join(folder, 'job.json')
    const log = join(folder, 'merge.log')
    const empty = join(folder, 'empty')
    await mkdir(empty)
    await writeFile(job, JSON.stringify({ base, recipe, adapter, output }))
    const child = await TrainerProcess.start({
      command: python,
      options: [program, job],
      folder: empty,
      log,
      identity: join(folder, 'process.json'),
      environment: { PYTHONUNBUFFERED: '1', ...('folder' in base && { HF_HUB_OFFLINE: '1' }) },
    })
    const exit = await child.ended
    if (exit.code !== 0) throw failed(exit.code, await readTail(log))
    return (await readdir(output, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function failed(code: number | null, tail: readonly string[]): EspalierError {
  const last = tail.slice(-shownLines)
  if (code === refused) {
    return new EspalierError('invalid_request', last.at(-1) ?? 'The base cannot be read.', { param: 'base' })
  }
  const how = code === null ? 'was ended from outside' : `ended with code ${code}`
  return new EspalierError(
    'internal',
    `The adapter could not be added to the weights of its base: the program ${how}. Its last lines: ${last.join(' | ')}`,
  )
}
