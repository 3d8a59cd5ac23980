import { Session } from 'node:inspector/promises'
import { Agent } from 'undici'
import { endpointSchema } from '../shared/core/contracts/endpoint-configuration.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { runRequestSchema } from '../shared/core/contracts/run.ts'
import { ModelCalls } from '../shared/play/methods/model-calls.ts'
import { openModels } from '../shared/play/models/model-pool.ts'
import { freeMeter } from './free-meter.ts'
import { unjournaledEffects } from './unjournaled-effects.ts'

export interface CallPath {
  /** Files on the stack between `ask` and the socket: each waits for the next. */
  stack: string[]
  run: string[]
}

const inShared = /(?<=\/shared\/)[\w./-]+\.ts/g
const counted = /^(play\/(models|methods)|core\/outbound)\//

export async function followCall(base_url: string): Promise<CallPath> {
  const endpoint = endpointSchema.parse({ kind: 'openai', base_url })
  const models = openModels(new Map([['bench', endpoint]]), { environment: {} })
  const request = runRequestSchema.parse({
    environment: exampleEnvironment,
    method: { id: 'react' },
    model: { endpoint: 'bench', id: 'plain' },
  })
  const calls = new ModelCalls({ effects: unjournaledEffects, models, request, meter: () => freeMeter })
  const ask = (key: string) =>
    calls.ask({ key, role: 'policy', messages: [{ role: 'user', content: 'Say hello.' }] })
  await ask('first')
  const stack = watchDispatch()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await ask('second')
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  await models.close()
  const run = result.filter(({ functions }) => functions.some(({ ranges: [own] }) => own && own.count > 0))
  return {
    stack: [...new Set(stack().match(inShared))].toReversed(),
    run: run
      .flatMap(({ url }) => url.match(inShared) ?? [])
      .filter((file) => counted.test(file))
      .toSorted(),
  }
}

/** @returns a function that gives the stack of the next request that undici gets, and ends the watch */
function watchDispatch(): () => string {
  const { dispatch } = Agent.prototype
  let stack = ''
  Agent.prototype.dispatch = function (...given) {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 100
    stack = new Error('dispatched').stack ?? ''
    Error.stackTraceLimit = limit
    return dispatch.apply(this, given)
  }
  return () => {
    Agent.prototype.dispatch = dispatch
    return stack
  }
}
