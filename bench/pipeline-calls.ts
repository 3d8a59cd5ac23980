import { setImmediate } from 'node:timers/promises'
import { endpointSchema } from '../shared/core/contracts/endpoint-configuration.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { runRequestSchema } from '../shared/core/contracts/run.ts'
import { RunStore } from '../shared/core/engine/runs/run-store.ts'
import { Spending } from '../shared/core/engine/spending/spending.ts'
import { ModelCalls } from '../shared/play/methods/model-calls.ts'
import type { ChatModel } from '../shared/play/models/chat-model.ts'
import { openModels } from '../shared/play/models/model-pool.ts'
import type { Ask } from './bare-calls.ts'
import { openBenchEngine } from './open-bench-engine.ts'
import { scriptedModel } from './scripted-model.ts'
import { unjournaledEffects } from './unjournaled-effects.ts'

export interface PipelineCalls {
  ask: Ask
  close(): Promise<void>
}

const policy = {
  environment: exampleEnvironment,
  method: { id: 'react' },
  tasks: { split: 'train', limit: 1 },
  limits: { cost: 100_000 },
}

/** Model calls as methods ask for them, with their money in the ledger of a data folder, and without a journal. */
export async function openPipelineCalls(base_url: string): Promise<PipelineCalls> {
  const prices = { '*': { input: 1, output: 2 } }
  const endpoint = endpointSchema.parse({ kind: 'openai', base_url, max_concurrency: 2000, prices })
  const models = openModels(new Map([['bench', endpoint]]), { environment: {} })
  const request = runRequestSchema.parse({ ...policy, model: { endpoint: 'bench', id: 'plain' } })
  // The run of the calls: its only episode waits for its first answer.
  const closing = Promise.withResolvers<void>()
  const waiting: ChatModel = {
    async complete(asked, options) {
      await closing.promise
      return scriptedModel.complete(asked, options)
    },
  }
  const engine = await openBenchEngine(waiting, 1)
  const { id } = await engine.runs.create(request)
  while ((await engine.runs.get(id)).status !== 'running') await setImmediate()
  const { world } = engine
  const spending = new Spending({ world, store: new RunStore(world), worker: 'pipeline' })
  const calls = new ModelCalls({
    effects: unjournaledEffects,
    models,
    request,
    meter: (choice) => spending.meter(id, choice),
  })
  return {
    // Each call of a conversation brings an answer and an observation that no call before had.
    ask: ({ messages }) =>
      calls.ask({
        key: 'call',
        role: 'policy',
        messages: [...messages.slice(0, -2), ...messages.slice(-2).map((message) => ({ ...message }))],
      }),
    async close() {
      closing.resolve()
      await models.close()
      await engine.close()
    },
  }
}
