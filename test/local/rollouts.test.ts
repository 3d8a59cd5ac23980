import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import type { RowOf } from '../../shared/core/contracts/dataset-row.ts'
import type { GroupEvent, GroupRows, RolloutRun } from '../../shared/core/contracts/rollout.ts'
import type { EpisodeCredit, RolloutFigures } from '../../shared/core/contracts/rollout-figures.ts'
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
  const figures = (await (await ask('GET', `/v1/rollouts/${id}/figures`)).json()) as RolloutFigures
  expect(figures.groups.map(({ index, sequence }) => [sequence, index])).toEqual(
    groups.map(({ index }, place) => [place + 1, index]),
  )
  const newest = await ask('GET', `/v1/rollouts/${id}/figures?limit=1`)
  expect(((await newest.json()) as RolloutFigures).groups).toEqual(figures.groups.slice(-1))
  for (const { entropy, index, lag, reward, variance } of figures.groups) {
    const { rewards, rows } = (await (
      await ask('GET', `/v1/rollouts/${id}/groups/${index}`)
    ).json()) as GroupRows
    const logprobs = rows.flatMap(({ row }) =>
      (row as RowOf<'rollout'>).logprobs.flatMap((each) => each ?? []),
    )
    expect(entropy).toBeCloseTo(-logprobs.reduce((sum, each) => sum + each, 0) / logprobs.length, 9)
    expect([reward, variance, lag]).toEqual([rewards?.mean, (rewards?.std ?? Number.NaN) ** 2, 0])
  }
  expect(figures.tokens_per_second).toBeGreaterThan(0)

  const [{ run }] = [(await (await ask('GET', `/v1/rollouts/${id}`)).json()) as RolloutRun]
  const { rows } = (await (await ask('GET', `/v1/rollouts/${id}/groups/0`)).json()) as GroupRows
  for (const { episode, row } of rows) {
    const { completion_mask, advantages } = row as RowOf<'rollout'>
    const credit = (await (
      await ask('GET', `/v1/runs/${run}/episodes/${episode}/credit`)
    ).json()) as EpisodeCredit
    const own = advantages?.find((_, place) => completion_mask[place] === 1)
    expect(credit.advantage).toBe('grpo')
    expect(credit.nodes.length).toBeGreaterThan(0)
    expect(credit.nodes.map(({ advantage }) => advantage)).toEqual(credit.nodes.map(() => own))
    expect(credit.nodes.every(({ entropy }) => entropy !== null && entropy >= 0)).toBe(true)
  }
  expect((await ask('GET', `/v1/runs/${run}/episodes/ep-9999999/credit`)).status).toBe(404)
  expect((await ask('GET', `/v1/rollouts/${id}/groups/2`)).status).toBe(404)
  const again = await ask('POST', '/v1/rollouts', request, { 'Idempotency-Key': 'batch-1' })
  expect(await again.json()).toMatchObject({ id, groups: { total: 2, finished: 2, complete: 2 } })
})
