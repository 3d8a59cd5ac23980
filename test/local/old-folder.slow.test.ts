import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type Service } from '../../local/open-service.ts'
import type { Dataset } from '../../shared/core/contracts/dataset.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { lentFolder } from '../support/temporary-folder.ts'

/** Data folders and what the services that made them answered about them; test/fixtures/README.md says how they were made. */
const packed = ['folder-of-2026-11-22', 'folder-of-2026-11-27']

let answers: Record<string, unknown>
let service: Service
let remove: () => Promise<void>

async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', host: 'localhost' }
  const response = await service.app.request(path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const location = response.headers.get('location')
  if (response.status === 307 && location !== null) return ask(method, location)
  if (response.status >= 400) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as Answer
}

async function untilEnded(run: string): Promise<Run> {
  for (;;) {
    const now = await ask<Run>('GET', `/v1/runs/${run}`)
    if (!['queued', 'running'].includes(now.status)) return now
    await new Promise((done) => setTimeout(done, 20))
  }
}

const runs = () => (answers['/v1/runs?limit=100'] as List<Run>).data

function runNamed(name: string): Run {
  const found = runs().find(({ request }) => request.name === name)
  if (found === undefined) throw new Error(`The folder has no run "${name}".`)
  return found
}

/** The paths of what an earlier answer said and a later one does not say, or says otherwise. New fields are no loss. */
function lost(before: unknown, after: unknown, path = ''): string[] {
  if (typeof before !== 'object' || before === null) return Object.is(before, after) ? [] : [path]
  if (typeof after !== 'object' || after === null) return [path]
  if (Array.isArray(before) && before.length !== (after as unknown[]).length) return [`${path}.length`]
  return Object.entries(before).flatMap(([key, value]) =>
    lost(value, Reflect.get(after, key), `${path}.${key}`),
  )
}

describe.each(packed)('%s, of an earlier version,', (name) => {
  beforeAll(async () => {
    const lent = await lentFolder()
    remove = lent.remove
    await promisify(execFile)('tar', [
      '-xzf',
      resolve(import.meta.dirname, `../fixtures/${name}.tar.gz`),
      '-C',
      lent.folder,
    ])
    answers = JSON.parse(await readFile(join(lent.folder, 'answers.json'), 'utf8'))
    service = await openService({ folder: join(lent.folder, 'folder'), log: () => undefined })
  })

  afterAll(async () => {
    await service?.close({ grace: 1 })
    await remove?.()
  })

  test('is read without a loss: every answer says what it said', async () => {
    const differing: string[] = []
    for (const [path, before] of Object.entries(answers)) {
      differing.push(...lost(before, await ask('GET', path)).map((field) => `${path}: ${field}`))
    }
    expect(differing).toEqual([])
  })

  test('has a run that was paused: it resumes, pays nothing twice and ends', async () => {
    const paused = runNamed('paused')
    expect(paused.status).toBe('paused')
    const before = await ask<List<Episode>>('GET', `/v1/runs/${paused.id}/episodes`)
    await ask('POST', `/v1/runs/${paused.id}/resume`, { limits: { tokens: 1_000_000 } })
    const ended = await untilEnded(paused.id)
    expect(ended.status).toBe('succeeded')
    expect(ended.episodes).toMatchObject({ errored: 0, waiting: 0, active: 0, total: paused.episodes.total })
    expect(ended.usage.model_calls).toBeGreaterThan(paused.usage.model_calls)
    const { data } = await ask<List<Episode>>('GET', `/v1/runs/${paused.id}/episodes`)
    // The episode that was under way goes on from its journal: no attempt begins anew.
    expect(data.map(({ result }) => result?.attempt)).toEqual(before.data.map(() => 1))
    const spent = data.reduce((sum, { result }) => sum + (result?.usage.model_calls ?? 0), 0)
    expect(spent).toBe(ended.usage.model_calls)
  })

  test('has a search that is extended: the first part comes from its journal', async () => {
    const searched = runNamed('rollouts')
    const before = await ask<List<Episode>>('GET', `/v1/runs/${searched.id}/episodes`)
    await ask('POST', `/v1/runs/${searched.id}/extend`, { method: { iterations: 6 } })
    const ended = await untilEnded(searched.id)
    expect(ended).toMatchObject({ status: 'succeeded', episodes: { errored: 0 } })
    const { data } = await ask<List<Episode>>('GET', `/v1/runs/${searched.id}/episodes`)
    for (const [place, { result }] of data.entries()) {
      expect(result?.attempt).toBe(1)
      expect(result?.nodes).toBeGreaterThanOrEqual(before.data[place]?.result?.nodes ?? 0)
    }
    const total = (episodes: readonly Episode[]) =>
      episodes.reduce((sum, { result }) => sum + (result?.usage.model_calls ?? 0), 0)
    expect(total(data)).toBeGreaterThan(total(before.data))
  })

  test('has what a dataset is built of, alike to the one that was built then', async () => {
    const [first] = (answers['/v1/datasets?limit=100'] as List<Dataset>).data.filter(
      ({ name }) => name === 'columns',
    )
    if (first === undefined) throw new Error('The folder has no dataset "columns".')
    const made = await ask<Dataset>('POST', '/v1/datasets', { ...first.request, name: 'again' })
    let now = made
    while (now.status !== 'succeeded') {
      if (now.error !== null) throw new Error(JSON.stringify(now.error))
      await new Promise((done) => setTimeout(done, 20))
      now = await ask<Dataset>('GET', `/v1/datasets/${made.id}`)
    }
    expect(now.rows).toBe(first.rows)
    const rows = (id: string) => ask<List<{ data: unknown }>>('GET', `/v1/datasets/${id}/rows?limit=100`)
    const contents = async (id: string) => (await rows(id)).data.map(({ data }) => data)
    expect(lost(await contents(first.id), await contents(made.id))).toEqual([])
  })

  test('has a memory that a new run reads', async () => {
    const learned = runNamed('memory')
    const parameters = {
      value: 'judge',
      iterations: 2,
      branching: 2,
      max_steps: 3,
      memory_from: learned.memory,
    }
    const { id } = await ask<Run>('POST', '/v1/runs', {
      environment: 'textcraft',
      model: learned.request.model,
      method: { id: 'rmcts', ...parameters },
      tasks: { limit: 1 },
    })
    expect(await untilEnded(id)).toMatchObject({ status: 'succeeded', episodes: { succeeded: 1 } })
  })
})
