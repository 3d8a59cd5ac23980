import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { NodeDetail } from '../../shared/core/contracts/node-detail.ts'
import type { Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { answerJson, scriptedServer } from '../play/models/scripted-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const spentOnReasoning = {
  message: { role: 'assistant', content: '' },
  finish_reason: 'length',
}
const refusal = {
  message: { role: 'assistant', content: null, refusal: 'I cannot help with that.' },
  finish_reason: 'stop',
}

/** A service over a real HTTP endpoint whose every answer is the one choice. */
async function serve(choice: object) {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 512,
    completion_tokens_details: { reasoning_tokens: 500 },
  }
  const server = await scriptedServer((_request, response) =>
    answerJson(response, { object: 'chat.completion', choices: [{ index: 0, ...choice }], usage }),
  )
  const endpoint = endpointSchema.parse({ kind: 'openai', base_url: server.baseUrl })
  const service = await openService({
    folder: await temporaryFolder(),
    endpoints: new Map([['scripted', endpoint]]),
    log: () => undefined,
  })
  onTestFinished(() => service.close({ grace: 1 }))
  async function ask<Answer>(path: string, body?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' }
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await service.app.request(path, { headers, ...sent })
    expect(response.status).toBeLessThan(300)
    return (await response.json()) as Answer
  }
  async function start(limit: number): Promise<string> {
    const { id } = await ask<Run>('/v1/runs', {
      environment: 'textcraft',
      tasks: { split: 'test', limit },
      method: { id: 'react', max_steps: 3 },
      model: { endpoint: 'scripted', id: 'scripted', max_tokens: 512 },
    })
    return id
  }
  async function untilStill(id: string): Promise<Run> {
    for (;;) {
      const run = await ask<Run>(`/v1/runs/${id}`)
      if (run.status !== 'queued' && run.status !== 'running') return run
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return { ask, start, untilStill }
}

test('an endpoint that spends every answer on reasoning pauses the run, and its end is no success rate of zero', async () => {
  const { ask, start, untilStill } = await serve(spentOnReasoning)
  const id = await start(8)
  const paused = await untilStill(id)
  expect(paused.status).toBe('paused')
  expect(paused.status_reason).toMatch(/cut at max_tokens \(512\).*a higher model\.max_tokens/)
  expect(paused.usage.reasoning_tokens).toBe(500 * paused.usage.model_calls)

  await ask(`/v1/runs/${id}/resume`, {})
  const over = await untilStill(id)
  expect(over).toMatchObject({ status: 'failed', episodes: { errored: 8, failed: 0 } })
  const report = await ask<Report>(`/v1/runs/${id}/report`)
  expect(report).toMatchObject({ success_rate: { mean: null }, answers: { total: 24, cut: 24 } })
  expect(report.answers).toEqual(over.answers)
  expect(report.answer_warnings[0]?.message).toBe(
    "100 % of the agent's answers (24 of 24) were cut at max_tokens: raise model.max_tokens (now 512).",
  )
  const node = await ask<NodeDetail>(`/v1/runs/${id}/episodes/ep-0000000/nodes/1`)
  expect(node.proposal).toMatchObject({
    answers: [''],
    endings: [{ finish_reason: 'length', fault: 'cut' }],
    usage: { output_tokens: 512, reasoning_tokens: 500 },
  })
})

test('refusals are distinct from content to the last page', async () => {
  const { ask, start, untilStill } = await serve(refusal)
  const id = await start(4)
  const over = await untilStill(id)
  expect(over).toMatchObject({
    status: 'succeeded',
    episodes: { failed: 4 },
    answers: { total: 12, refused: 12 },
  })
  expect(over.answer_warnings[0]?.message).toContain('(12 of 12) were refusals')
  const { data } = await ask<List<Episode>>(`/v1/runs/${id}/episodes`)
  expect(data.map(({ result }) => result?.answers?.refused)).toEqual([3, 3, 3, 3])
  const node = await ask<NodeDetail>(`/v1/runs/${id}/episodes/ep-0000000/nodes/1`)
  expect(node.proposal).toMatchObject({
    answers: ['I cannot help with that.'],
    endings: [{ finish_reason: 'stop', fault: 'refused' }],
  })
})
