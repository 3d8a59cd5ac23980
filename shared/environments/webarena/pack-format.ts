import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { PackFile, PackFormat, PackSource } from '../data-pack.ts'
import type { WebarenaTask } from './task-file.ts'
import { rolesOfTask, webarenaTaskSchema } from './task-file.ts'

export const taskIndex = 'index.json'

export const taskIndexSchema = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    description: z.string(),
    asks: z.array(z.enum(['judge', 'captioner'])),
  }),
)

export const packedTaskSchema = z.object({
  task: webarenaTaskSchema,
  pictures: z.record(z.string(), z.string()),
})

export function taskPath(id: string): string {
  return `tasks/${id}.json`
}

export const webarenaPackFormat: PackFormat = {
  description:
    'the task files of WebArena or VisualWebArena: JSON files with one task or a list of tasks each, and the input pictures that they name by paths',
  data: { origin: 'original', about: 'task files of WebArena or VisualWebArena' },
  downloads: [],
  isNeeded: true,
  collect,
  filesOf: (task) => [taskPath(task)],
}

async function* collect(source: PackSource): AsyncGenerator<PackFile> {
  const index: z.input<typeof taskIndexSchema> = []
  const known = new Map<string, string>()
  for (const path of source.files.filter((file) => file.endsWith('.json'))) {
    for (const written of await readTasks(source, path)) {
      const task = parseTask(written, path)
      const id = packedTaskId(task.task_id, path)
      const before = known.get(id)
      if (before !== undefined) throw refuse(`${path} and ${before} both have the task ${id}. Leave one out.`)
      known.set(id, path)
      const pictures = await readPictures(source, task, path)
      yield { path: taskPath(id), body: encode({ task: written, pictures }) }
      const type = task.sites.join('+')
      const description = task.intent.replace(/\s+/g, ' ').trim()
      index.push({ id, type, description, asks: rolesOfTask(task) })
    }
  }
  if (index.length === 0) throw refuse(`There is no task in it: it needs ${webarenaPackFormat.description}.`)
  yield { path: taskIndex, body: encode(index) }
}

async function readTasks(source: PackSource, path: string): Promise<unknown[]> {
  const text = new TextDecoder().decode(await source.read(path))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refuse(`${path} is not JSON: ${String(error)}`)
  }
  const all = Array.isArray(value) ? value : [value]
  return all.filter(
    (each) => typeof each === 'object' && each !== null && 'task_id' in each && 'eval' in each,
  )
}

function parseTask(written: unknown, path: string): WebarenaTask {
  const parsed = webarenaTaskSchema.safeParse(written)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const { task_id } = written as { task_id: unknown }
  throw refuse(`${path}: task ${String(task_id)}: ${issue?.path.join('.')}: ${issue?.message}`)
}

/**
 * A task's id: its number, after the name of its list unless that is the benchmark's only one. `test.raw.json` and
 * `config_files/3.json` have `3`, `test_classifieds.raw.json` and `test_classifieds/3.json` have `classifieds/3`.
 */
export function packedTaskId(number: string, path: string): string {
  const parts = path.split('/')
  const stem = (parts.at(-1) ?? '').replace(/(?:\.raw)?\.json$/, '')
  const list = (stem === number ? (parts.at(-2) ?? '') : stem).replace(/^test_?/, '')
  return ['', 'config_files', 'tasks'].includes(list) ? number : `${list}/${number}`
}

async function readPictures(source: PackSource, task: WebarenaTask, path: string) {
  const pictures: Record<string, string> = {}
  for (const image of task.image) {
    const name = image.replace(/^(?:\.?\/)+/, '')
    const isAddress = /^(?:https?:\/\/|__)/.test(image)
    const own = isAddress ? (name.split('/').at(-1) ?? '') : name
    const found = source.files.find((file) => file === own || file.endsWith(`/${own}`))
    if (found !== undefined) pictures[image] = Buffer.from(await source.read(found)).toString('base64')
    else if (!isAddress)
      throw refuse(`${path}: task ${task.task_id} shows ${image}, which is not there. Add it.`)
  }
  return pictures
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

function refuse(message: string): EspalierError {
  return new EspalierError('invalid_request', message)
}
