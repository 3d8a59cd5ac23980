import { expect, test } from 'vitest'
import type { ChatModel } from '../../shared/models/chat-model.ts'
import { createCorridor } from '../methods/corridor.ts'
import { openTestEngine, toRequest, untilStatus } from '../support/open-test-engine.ts'
import { openTestWorld } from '../support/open-test-world.ts'

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
