import { expect, test } from 'vitest'
import type { EffectScope } from '../../../shared/core/engine/effect-scope.ts'
import type { ObservedEpisode } from '../../../shared/core/engine/episode-observer.ts'
import type { EndedSpan } from '../../../shared/insight/telemetry/span.ts'
import { traceEpisodes } from '../../../shared/insight/telemetry/trace-episodes.ts'
import { endedEpisode, erroredEpisode } from '../../builders/episodes.ts'
import { call, node, once } from '../../builders/journals.ts'
import { toRequest } from '../../support/open-test-engine.ts'

const episode: ObservedEpisode = {
  run: 'run-1',
  index: 0,
  task: 'goal-3',
  epoch: 0,
  generation: 1,
  attempt: 1,
  request: toRequest(),
  began: 1000,
}

/** Performs each effect as soon as it is asked for. */
const performing = {
  effect: async (_key, _request, perform) => {
    const { signal } = new AbortController()
    return (await perform(signal, signal)).result
  },
} as Pick<EffectScope, 'effect'> as EffectScope

function observe() {
  const spans: EndedSpan[] = []
  let time = 1000
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  const observer = traceEpisodes({ send: (span) => spans.push(span) }, () => time)
  return { spans, pass, observer }
}

test('a call takes from its asking to its answer, and a step of a host as long as the host did', async () => {
  const { spans, pass, observer } = observe()
  const turn = observer.turn(episode)
  const scope = turn.scope(performing)
  const key = 'node/0/sample/0'
  const settings = { role: 'policy', endpoint: 'openai', id: 'small', temperature: 0.5 }
  await scope.effect(key, { settings }, async () => {
    pass(200)
    return { result: { choices: [{ content: 'Action: forward', finish_reason: 'stop' }] }, usage: once }
  })
  pass(5)
  turn.committed(call(key))
  await scope.effect(`${key}/step`, { settings: { from: 'x', action: 'forward' } }, async () => {
    pass(30)
    return { result: {} }
  })
  turn.committed([{ effect: `${key}/step`, request: 'r', result: {} }])
  pass(7)
  turn.committed([node({ reward: 0.5 })])
  expect(spans).toMatchObject([
    {
      name: 'chat small',
      kind: 'client',
      began: 1000,
      ended: 1200,
      attributes: {
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': 10,
        'espalier.usage.cost': 0.5,
      },
    },
    { began: 1205, ended: 1235, attributes: { 'espalier.step.reward': 0.5, 'espalier.attempt': 1 } },
  ])
  expect(spans[1]?.name).toBe(`execute_tool ${episode.request.environment}`)
})

test('an episode that errored has an error and no reward', () => {
  const { spans, observer } = observe()
  const { result } = erroredEpisode(0, 'goal-3')
  if (result === null) throw new Error('The episode has ended.')
  observer.ended(episode, result)
  expect(spans[0]).toMatchObject({ error: { type: 'HostLost', message: 'The host left.' } })
  expect(spans[0]?.attributes).not.toHaveProperty('espalier.episode.reward')
})

test('what is unknown is not said: an endpoint without prices has no cost', () => {
  const { spans, observer } = observe()
  const usage = { model_calls: 1, input_tokens: 90, output_tokens: 10, cost: null }
  const { result } = endedEpisode(0, 'goal-3', 1, { usage })
  if (result === null) throw new Error('The episode has ended.')
  observer.ended(episode, result)
  expect(spans[0]?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 90,
    'espalier.episode.reward': 1,
  })
  expect(spans[0]?.attributes).not.toHaveProperty('espalier.usage.cost')
})
