import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../local/open-service.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { type Growth, growthSchema } from '../../../shared/core/contracts/growth.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import { type NoteUses, noteUsesSchema } from '../../../shared/core/contracts/memory.ts'
import { type NodeDetail, nodeDetailSchema } from '../../../shared/core/contracts/node-detail.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function openServed() {
  const service = await openService({ folder: await temporaryFolder(), log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))

  async function read<Answer>(path: string, body?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json', host: 'localhost' }
    const response = await service.app.request(
      path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  async function play(request: object): Promise<Run> {
    const { id } = await read<Run>('/v1/runs', {
      tasks: { split: 'test', limit: 2 },
      model: { endpoint: 'simulated', id: 'simulated' },
      ...request,
    })
    const now = () => read<Run>(`/v1/runs/${id}`)
    await expect.poll(async () => (await now()).ended_at).not.toBeNull()
    return now()
  }

  async function inspect(run: string): Promise<{ episode: Episode; growth: Growth; nodes: NodeDetail[] }[]> {
    const { data } = await read<List<Episode>>(`/v1/runs/${run}/episodes?limit=100`)
    return Promise.all(
      data.map(async (episode) => {
        const path = `/v1/runs/${run}/episodes/${episode.id}`
        const growth = growthSchema.parse(await read(`${path}/growth`))
        const count = episode.result?.nodes ?? 0
        const nodes = Array.from({ length: count }, (_, node) => read(`${path}/nodes/${node}`))
        return {
          episode,
          growth,
          nodes: (await Promise.all(nodes)).map((node) => nodeDetailSchema.parse(node)),
        }
      }),
    )
  }

  return { read, play, inspect }
}

const small = { iterations: 2, proposals: 4, branching: 2, verdicts: 2, max_steps: 8 }

test.each<[string, { id: string; [parameter: string]: unknown }]>([
  ['textcraft', { id: 'act' }],
  ['textcraft', { id: 'react' }],
  ['textcraft', { id: 'reflexion', agent: 'act', retry: 2, max_steps: 5 }],
  ['alfworld', { id: 'reflexion', train_tasks: 2, train_steps: 4, notes: 2 }],
  ['pddl', { id: 'code-as-policy' }],
  ['pddl', { id: 'learnact', candidates: 2, rounds: 1, train_tasks: 2, train_steps: 4 }],
  ['webshop', { id: 'best-of-n', attempts: 3, verdicts: 2 }],
  ['textcraft', { id: 'best-first', branching: 2, proposals: 4, verdicts: 2, budget: 4, max_steps: 8 }],
  [
    'alfworld',
    {
      id: 'tree-of-thoughts',
      value: 'debate',
      branching: 2,
      proposals: 4,
      verdicts: 2,
      budget: 3,
      max_steps: 4,
    },
  ],
  ['textcraft', { id: 'mcts', iterations: 4, samples: 3, max_depth: 8 }],
  ['webshop', { id: 'mcts', value: 'debate', plan: 'whole-task', ...small }],
  ['textcraft', { id: 'rmcts', ...small }],
])('every node of every episode has all its calls and notes: %s, %o', async (environment, method) => {
  const { inspect, play } = await openServed()
  const run = await play({ environment, method })
  for (const { episode, growth, nodes } of await inspect(run.id)) {
    const used = nodes.reduce((sum, { usage }) => sum + usage.model_calls, 0)
    const read = nodes.reduce((sum, { usage }) => sum + usage.input_tokens, 0)
    expect([used, read]).toEqual([episode.result?.usage.model_calls, episode.result?.usage.input_tokens])
    expect(growth.steps.at(-1)?.usage.model_calls).toBeLessThanOrEqual(used)

    const events = growth.steps.flatMap((step) => step.events)
    const values = new Map(events.flatMap((each) => (each.type === 'value' ? [[each.node, each.value]] : [])))
    for (const { index, judgement, node, observation, proposal, state, state_note } of nodes) {
      const isStart = episode.purpose === 'learn' && node.depth === 0
      expect(state === null, state_note ?? '').toBe(isStart)
      expect(observation).not.toEqual([])
      const isBegun = episode.purpose === 'learn' && node.depth === 1
      expect(proposal === null).toBe(index === 0 || isBegun)
      if (judgement) expect(judgement.value).toBe(values.get(index))
    }
  }
})

test('where notes were shown is where the nodes show them', async () => {
  const { inspect, play, read } = await openServed()
  const run = await play({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 4 },
    method: { id: 'rmcts', policy_threshold: 0, value_threshold: 0, ...small },
  })
  const memory = String(run.memory)
  const uses = noteUsesSchema.parse(await read<NoteUses>(`/v1/memories/${memory}/uses`))
  const { data: notes } = await read<List<MemoryNote>>(`/v1/memories/${memory}/notes?limit=1000`)
  expect(uses).toMatchObject({ memory, run: run.id, episodes: { total: 4, read: 4 } })

  const shown = new Map<string, { episode: string; task: string; node: number }[]>()
  for (const { episode, nodes } of await inspect(run.id)) {
    for (const { index, notes: found } of nodes) {
      for (const { id } of found) {
        const place = { episode: episode.id, task: episode.task, node: index }
        shown.set(id, [...(shown.get(id) ?? []), place])
      }
    }
  }
  expect(shown.size).toBeGreaterThan(0)
  expect(uses.uses.map(({ note }) => note)).toEqual(notes.map(({ id }) => id).filter((id) => shown.has(id)))
  for (const { note, count, places } of uses.uses) {
    expect(count).toBe(shown.get(note)?.length)
    expect(places.length).toBe(Math.min(20, count))
    for (const place of places) expect(shown.get(note)).toContainEqual(place)
  }

  const other = await play({
    environment: 'textcraft',
    method: { id: 'rmcts', memory_from: memory, ...small },
  })
  const there = await read<NoteUses>(`/v1/memories/${memory}/uses?run=${other.id}`)
  expect(there.run).toBe(other.id)
  expect(there.uses.length).toBeGreaterThan(0)
  const { data: own } = await read<List<MemoryNote>>(`/v1/memories/${other.memory}/notes?limit=1000`)
  const written = new Set(own.map(({ id, note, task }) => JSON.stringify([id, task, note])))
  const elsewhere = (await inspect(other.id)).flatMap((each) => each.nodes).flatMap((node) => node.notes)
  expect(new Set(elsewhere.map((each) => each.run))).toContain(run.id)
  for (const { id, note, task, run: writer } of elsewhere) {
    if (writer === other.id) expect(written).toContain(JSON.stringify([id, task, note]))
  }
  const unread = await play({ environment: 'textcraft', method: { id: 'act' } })
  expect((await read<NoteUses>(`/v1/memories/${memory}/uses?run=${unread.id}`)).uses).toEqual([])
})
