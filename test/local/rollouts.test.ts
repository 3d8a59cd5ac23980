import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import type { RowOf } from '../../shared/core/contracts/dataset-row.ts'
import type { GroupEvent, GroupRows, RolloutRun } from '../../shared/core/contracts/rollout.ts'
import { readAllEvents } from '../functions/api/read-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTokenServer } from '../support/token-server.ts'

/** A local service over a server that gives tokens. */
async function openLab() {
  const server = await openTokenServer('sglang', { skill: 0.6 })
  const folder = await temporaryFolder()
  const lab = { kind: 'openai', base_url: server.base, tokens: 'sglang' }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { lab } }))
  const service = await openService({ folder, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    service.app.request(path, {
      method,
      headers: { 'content-type': 'application/json', host: 'localhost', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  return { server, ask }
}

const request = {
  environment: 'textcraft',
  tasks: { split: 'train', limit: 2 },
  method: { id: 'react', max_steps: 6 },
  model: { endpoint: 'lab', id: 'player' },
  group_size: 3,
  version: 'step-3',
}

test('a trainer reads finished groups and their rows: the exact tokens of the server, with masks and advantages', async () => {
  const { ask, server } = await openLab()
  const begun = await ask('POST', '/v1/rollouts', request, { 'Idempotency-Key': 'batch-1' })
  expect(begun.status).toBe(201)
  const { id } = (await begun.json()) as RolloutRun
  const events = await readAllEvents(await ask('GET', `/v1/rollouts/${id}/events`))
  const groups = events.flatMap(({ event, data }) =>
    event === 'group.finished' ? [(data as GroupEvent).group] : [],
  )
  expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } })
  expect(groups.map(({ index }) => index).toSorted()).toEqual([0, 1])
  const later = await readAllEvents(
    await ask('GET', `/v1/rollouts/${id}/events`, undefined, { 'Last-Event-ID': '1' }),
  )
  expect(later.flatMap((event) => event.id ?? [])).toEqual(['2'])

  const sent = new Set(
    server.given.flatMap(({ prompt_ids, answers }) =>
      answers.map(({ ids }) => JSON.stringify([...prompt_ids, ...ids])),
    ),
  )
  for (const { index, members } of groups) {
    const { rows, left_out } = (await (
      await ask('GET', `/v1/rollouts/${id}/groups/${index}`)
    ).json()) as GroupRows
    expect(left_out).toEqual([])
    expect(rows.map(({ episode }) => episode)).toEqual(members.map(({ episode }) => episode))
    for (const [place, { row, version }] of rows.entries()) {
      const { completion_ids, completion_mask, logprobs, prompt_ids, ...rest } = row as RowOf<'rollout'>
      expect(sent).toContain(JSON.stringify([...prompt_ids, ...completion_ids]))
      expect(logprobs.map((logprob) => (logprob === null ? 0 : 1))).toEqual(completion_mask)
      expect(rest).toMatchObject({ reward: members[place]?.reward, versions: ['step-3'], members: 3 })
      expect(version).toBe('step-3')
    }
    const sum = rows.reduce((all, { row }) => all + ((row as RowOf<'rollout'>).advantages?.[0] ?? 0), 0)
    expect(sum).toBeCloseTo(0, 6)
    const trees = (await (
      await ask('GET', `/v1/rollouts/${id}/groups/${index}?form=rollout-trees`)
    ).json()) as GroupRows
    expect(trees.rows.map(({ row }) => row.type)).toEqual(Array(3).fill('rollout-tree'))
  }
  expect((await ask('GET', `/v1/rollouts/${id}/groups/2`)).status).toBe(404)
  const again = await ask('POST', '/v1/rollouts', request, { 'Idempotency-Key': 'batch-1' })
  expect(await again.json()).toMatchObject({ id, groups: { total: 2, finished: 2, complete: 2 } })
})
