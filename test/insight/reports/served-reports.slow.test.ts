import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../local/open-service.ts'
import { type Curve, type Curves, curveSchema, curvesSchema } from '../../../shared/core/contracts/curve.ts'
import {
  type Comparison,
  comparisonSchema,
  type Report,
  reportSchema,
} from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const tasks = { split: 'test', types: ['depth-1', 'depth-2'], limit: 6 }

/** A service with two runs that have ended: a search and a single path, each task played twice. */
async function openPlayed() {
  const service = await openService({ folder: await temporaryFolder(), log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))

  async function ask(path: string, body?: object): Promise<Response> {
    const headers = { 'content-type': 'application/json', host: 'localhost' }
    return service.app.request(
      path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
  }
  async function read<Answer>(path: string, body?: object): Promise<Answer> {
    const response = await ask(path, body)
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
  async function play(method: object): Promise<string> {
    const request = {
      environment: 'textcraft',
      tasks,
      epochs: 2,
      method,
      model: { endpoint: 'simulated', id: 'simulated' },
    }
    const { id } = await read<Run>('/v1/runs', request)
    await expect.poll(async () => (await read<Run>(`/v1/runs/${id}`)).status).toBe('succeeded')
    return id
  }
  return {
    ask,
    read,
    search: await play({ id: 'mcts', iterations: 4, samples: 2 }),
    path: await play({ id: 'react' }),
  }
}

test('reports, comparisons and curves of played runs agree with each other', async () => {
  const { path, read, search } = await openPlayed()

  const report = await read<Report>(`/v1/runs/${search}/report`)
  expect(reportSchema.parse(report)).toEqual(report)
  expect(report.draws.map(({ k }) => k)).toEqual([1, 2])
  expect(report.by_type?.reduce((sum, group) => sum + group.tasks, 0)).toBe(6)
  expect(report.by_type?.map(({ name }) => name)).toEqual(
    ['depth-1', 'depth-2'].slice(0, report.by_type?.length),
  )
  const drawn = await read<Report>(`/v1/runs/${search}/report?interval=bootstrap`)
  expect(drawn.reward.mean).toBe(report.reward.mean)
  expect(drawn.mean_steps).toBe(report.mean_steps)

  for (const over of ['calls', 'tokens']) {
    const curve = await read<Curve>(`/v1/runs/${search}/curve?over=${over}`)
    expect(curveSchema.parse(curve)).toEqual(curve)
    expect(curve).toMatchObject({ simulated: true, tasks: 6, episodes: { scored: 12, read: 12 } })
    // With the whole budget the answers are those that the episodes ended with; a search never loses what it found.
    const end = curve.points.at(-1)
    expect(end).toMatchObject({ ended: 1 })
    expect(end?.success_rate).toEqual(report.success_rate)
    expect(end?.reward.mean).toBeCloseTo(report.reward.mean ?? Number.NaN, 12)
    const rewards = curve.points.map(({ reward }) => reward.mean ?? Number.NaN)
    expect(rewards).toEqual(rewards.toSorted((left, right) => left - right))
  }

  const both = { runs: [path, search] }
  const comparison = await read<Comparison>('/v1/reports/compare', both)
  expect(comparisonSchema.parse(comparison)).toEqual(comparison)
  expect(comparison.settings.map(({ field }) => field)).toContain('method.id')
  expect(comparison.settings.map(({ field }) => field)).not.toContain('seed')
  const curves = await read<Curves>('/v1/reports/curves', both)
  expect(curvesSchema.parse(curves)).toEqual(curves)
  expect(curves.curves.map(({ points }) => points.at(-1)?.success_rate.mean)).toEqual(
    comparison.runs.map(({ success_rate }) => success_rate.mean),
  )

  // A simulated model costs nothing, so all that it finds is found for nothing.
  const free = await read<Curve>(`/v1/runs/${path}/curve?over=cost`)
  expect(free.points.map(({ budget, ended }) => [budget, ended])).toEqual([[0, 1]])
})

test('every answer can be had as CSV and as Markdown', async () => {
  const { ask, path, search } = await openPlayed()
  const body = { runs: [path, search] }
  const requests: [string, object?][] = [
    [`/v1/runs/${search}/report`],
    [`/v1/runs/${search}/curve`],
    ['/v1/reports/compare', body],
    ['/v1/reports/curves', body],
  ]
  for (const [address, sent] of requests) {
    const csv = await ask(`${address}?format=csv`, sent)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const text = Buffer.from(await csv.arrayBuffer()).toString()
    expect(text).toMatch(/^\uFEFFrun,.*metric,value,stderr,ci_lower/)
    const page = await ask(`${address}?format=md`, sent)
    expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await page.text()).toMatch(/^# [\s\S]*\n\| -+ \| -+: \|/)
    expect((await ask(`${address}?format=xlsx`, sent)).status).toBe(400)
  }
  expect((await ask(`/v1/runs/${search}/report?interval=wald`)).status).toBe(400)
})
