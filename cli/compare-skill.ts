import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Run } from '../shared/core/contracts/run.ts'
import { writeFileAtomically } from '../shared/core/world/local/write-file-atomically.ts'
import type { Endpoints } from '../shared/play/models/load-endpoints.ts'
import { openClient } from './open-client.ts'
import type { Terminal } from './terminal.ts'

const settingsSchema = z.object({ skill: z.number(), seed: z.number() })
const fileSchema = z.object({ last: settingsSchema, runs: z.record(z.string(), settingsSchema) })

type Settings = z.infer<typeof settingsSchema>

interface OpenedService {
  address: string
  word: string
  app: { request(address: string, init: RequestInit): Response | Promise<Response> }
}

/**
 * Warns of each unfinished run that began under other settings of the simulated model than this process has. A file
 * of the data folder keeps the settings, since a run names only the endpoint.
 */
export async function warnOfOtherSkill(
  folder: string,
  endpoints: Endpoints,
  service: OpenedService,
  terminal: Terminal,
): Promise<void> {
  const endpoint = endpoints.get('simulated')
  if (endpoint?.kind !== 'simulated') return
  const now: Settings = { skill: endpoint.skill, seed: endpoint.seed }
  const path = join(folder, 'simulated.json')
  const before = await readSettings(path)
  const runs: Record<string, Settings> = {}
  for (const run of await unfinishedRuns(service, terminal)) {
    // A run missing from the file began after the last start.
    const began = before?.runs[run.id] ?? before?.last ?? now
    runs[run.id] = began
    if (began.skill !== now.skill || began.seed !== now.seed) terminal.note(describe(run, began, now))
  }
  await writeFileAtomically(path, `${JSON.stringify({ last: now, runs })}\n`)
}

async function unfinishedRuns({ address, app, word }: OpenedService, terminal: Terminal): Promise<Run[]> {
  const client = openClient({
    address,
    fetcher: (url, init) => app.request(url, init),
    signal: terminal.interruption(),
    credentials: { key: word },
  })
  const pages = await Promise.all(
    ['queued', 'running', 'paused'].map((status) => client.runs({ status, limit: 100 })),
  )
  return pages.flatMap(({ data }) => data).filter(({ request }) => request.model.endpoint === 'simulated')
}

async function readSettings(path: string): Promise<z.infer<typeof fileSchema> | null> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

function describe({ id, request }: Run, began: Settings, now: Settings): string {
  const name = request.name === undefined || request.name === null ? id : `${id} (${request.name})`
  return `${name} began with the simulated skill ${began.skill} and seed ${began.seed}; here it goes on with skill ${now.skill} and seed ${now.seed}, so its episodes are not comparable.`
}
