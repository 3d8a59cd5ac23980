import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { openAgentgymEnvironment } from '../../../shared/environments/agentgym/agentgym-environment.ts'
import { agentgymRegistrationSchema } from '../../../shared/environments/agentgym/agentgym-registration.ts'
import { AgentgymSessions } from '../../../shared/environments/agentgym/agentgym-sessions.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { createCorridor } from '../../play/methods/corridor.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestEngine, toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { serveApp } from '../../support/serve-app.ts'

/** Never solves the task, and gives verdicts that can be read as long as it is asked to. */
function hesitantJudge() {
  const told = { isReadable: false, calls: 0 }
  const model: ChatModel = {
    async complete({ messages }) {
      told.calls += 1
      const isJudged = messages[0]?.content.startsWith('You judge')
      const content = !isJudged ? 'Action: look' : told.isReadable ? 'Status code: C' : 'Hm.'
      const choices = [{ content, finish_reason: 'stop' }]
      return { choices, model_calls: 1, input_tokens: 1, output_tokens: 1, cost: 0 }
    },
  }
  return { told, model }
}

test('an episode whose answers led to an error is asked for anew when it is retried, once', async () => {
  const { told, model } = hesitantJudge()
  const engine = openTestEngine({ world: await openTestWorld(), environment: createCorridor(), model })
  await engine.worker.start()
  const search = { iterations: 1, branching: 1, proposals: 1, max_steps: 2 }
  const method = { id: 'mcts', value: 'judge', rubric: false, verdicts: 1, ...search }
  const { id } = await engine.runs.create(toRequest({ method }))
  await untilStatus(engine, id, 'failed')
  const [episode] = (await engine.runs.episodes(id, { limit: 1 })).data
  expect(episode?.result?.error?.name).toBe('UnreadableAnswers')
  expect(told.calls).toBe(5)

  await engine.runs.retry(id)
  await untilStatus(engine, id, 'failed')
  expect(told.calls).toBe(10)

  told.isReadable = true
  await engine.runs.retry(id)
  await untilStatus(engine, id, 'succeeded')
  expect(told.calls).toBe(14)
  const again = await engine.runs.episode(id, 'ep-0000000')
  expect(again.result).toMatchObject({ status: 'failed', reward: 0, error: null, attempt: 3 })
})

test('an episode whose server no longer gives the recorded answers starts afresh when it is retried', async () => {
  const app = new Hono()
  const server = { life: 1, resets: 0 }
  app.post('/create', (context) => context.json({ id: 0 }))
  app.post('/reset', (context) => {
    server.resets += 1
    // It is started again in the middle of the search, and shows another text from then on.
    if (server.resets === 3) server.life = 2
    return context.json({ observation: `Life ${server.life}.`, reward: 0, done: false })
  })
  app.post('/step', (context) => context.json({ observation: 'Nothing.', reward: 0, done: false }))
  app.post('/close', (context) => context.json(true))
  const registration = agentgymRegistrationSchema.parse({
    id: 'lab',
    server: 'textcraft',
    address: await serveApp(app),
    splits: { test: [[0, 1]] },
  })
  const engine = openTestEngine({
    world: await openTestWorld(),
    environment: openAgentgymEnvironment(registration),
    sessions: new AgentgymSessions(registration),
    model: createHashModel(),
  })
  await engine.worker.start()
  const method = { id: 'mcts', iterations: 3, samples: 2, max_depth: 3 }
  const { id } = await engine.runs.create(toRequest({ environment: 'lab', method }))
  await untilStatus(engine, id, 'failed')
  const lost = await engine.runs.episode(id, 'ep-0000000')
  expect(lost.result).toMatchObject({ status: 'errored', reward: null, attempt: 1 })
  expect(lost.result?.error).toMatchObject({ code: 'replay_diverged', effect: expect.any(String) })

  await engine.runs.retry(id)
  await untilStatus(engine, id, 'succeeded')
  const again = await engine.runs.episode(id, 'ep-0000000')
  expect(again.result).toMatchObject({ status: 'failed', reward: 0, error: null, attempt: 2 })
})
