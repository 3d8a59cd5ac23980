import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { PackFile, PackSource } from '../data-pack.ts'
import { matchFile } from './match-files.ts'
import { osworldIndex, osworldPackContent, osworldTaskPath } from './pack-format.ts'
import type { osworldIndexSchema } from './read-pack.ts'
import { type OsworldTask, osworldTaskSchema } from './task-file.ts'
import { filesOfTask } from './task-files.ts'
import { needsOfTask } from './task-needs.ts'

const mostBytes = 24 * 1024 * 1024

/** Includes the domain, because OSWorld uses some ids in two of its domains. */
function osworldTaskId(domain: string, { id }: Pick<OsworldTask, 'id'>): string {
  return `${domain}/${id}`
}

interface FoundTask {
  task: OsworldTask
  written: unknown
  path: string
  domain: string
}

export async function* collectOsworldPack(source: PackSource): AsyncGenerator<PackFile> {
  const index: z.input<typeof osworldIndexSchema> = []
  for (const { task, written, domain } of await findTasks(source)) {
    const files = await readFiles(source, task)
    const id = osworldTaskId(domain, task)
    yield { path: osworldTaskPath(id), body: encode({ task: written, files }) }
    index.push({
      id,
      domain,
      description: task.instruction.replace(/\s+/g, ' ').trim(),
      needs: needsOfTask(task),
      available: Object.keys(files),
    })
  }
  if (index.length === 0) throw refuse(`There is no task in it: it needs ${osworldPackContent}.`)
  yield { path: osworldIndex, body: encode(index) }
}

const metaSchema = z.record(z.string(), z.array(z.string()))

async function findTasks(source: PackSource): Promise<FoundTask[]> {
  const meta = source.files.find((file) => baseOf(file) === 'test_all.json')
  if (meta === undefined) {
    const files = source.files.filter((file) => file.endsWith('.json'))
    const found = (await Promise.all(files.map((file) => readTask(source, file)))).filter(
      (each) => each !== null,
    )
    return refuseTwice(found)
  }
  const listed = metaSchema.safeParse(await readJson(source, meta))
  if (!listed.success) throw refuse(`${meta} has to list the ids of tasks by domain, as OSWorld's does.`)
  const folder = meta.slice(0, -'test_all.json'.length)
  const wanted = Object.entries(listed.data).flatMap(([domain, ids]) => ids.map((id) => ({ domain, id })))
  const found: FoundTask[] = []
  for (const { domain, id } of wanted) {
    const path = `${folder}examples/${domain}/${id}.json`
    const task = source.files.includes(path) ? await readTask(source, path) : null
    if (task === null)
      throw refuse(`${meta} lists ${domain}/${id}, and ${path} is no task. Add it, or take it from the list.`)
    found.push({ ...task, domain })
  }
  return refuseTwice(found)
}

function refuseTwice(found: FoundTask[]): FoundTask[] {
  const known = new Map<string, string>()
  for (const { task, domain, path } of found) {
    const id = osworldTaskId(domain, task)
    const before = known.get(id)
    if (before !== undefined) throw refuse(`${path} and ${before} both have the task ${id}. Leave one out.`)
    known.set(id, path)
  }
  return found
}

async function readTask(source: PackSource, path: string): Promise<FoundTask | null> {
  const written = await readJson(source, path)
  const isTask =
    typeof written === 'object' && written !== null && 'instruction' in written && 'evaluator' in written
  if (!isTask) return null
  const parsed = osworldTaskSchema.safeParse(written)
  if (parsed.success) return { task: parsed.data, written, path, domain: path.split('/').at(-2) ?? 'tasks' }
  const [issue] = parsed.error.issues
  throw refuse(`${path}: ${issue?.path.join('.')}: ${issue?.message}`)
}

async function readFiles(source: PackSource, task: OsworldTask): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  let bytes = 0
  for (const file of filesOfTask(task)) {
    const found = matchFile(source.files, task.id, file)
    if (found === null) continue
    const body = await source.read(found)
    bytes += body.byteLength
    if (bytes > mostBytes) {
      throw refuse(
        `The files of the task ${task.id} have more than ${mostBytes / 1024 / 1024} MiB (${found} is one of them). Leave them out of the folder: the task is then listed as one that lacks files.`,
      )
    }
    files[file.url] = Buffer.from(body).toString('base64')
  }
  return files
}

async function readJson(source: PackSource, path: string): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await source.read(path)))
  } catch {
    return undefined
  }
}

function baseOf(path: string): string {
  return path.split('/').at(-1) ?? ''
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

function refuse(message: string): EspalierError {
  return new EspalierError('invalid_request', message)
}
