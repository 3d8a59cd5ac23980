import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import type { Message } from '../shared/core/contracts/message.ts'
import { runRequestSchema } from '../shared/core/contracts/run.ts'
import type { World } from '../shared/core/world/ports.ts'
import { noKnowledge, renderAgentPrompt } from '../shared/play/methods/prompts/agent-prompt.ts'
import { reactPrompt } from '../shared/play/methods/prompts/react-prompt.ts'
import type { ChatModel } from '../shared/play/models/chat-model.ts'
import { PromptBook } from '../shared/play/search/prompt-book.ts'
import { bareRequest, measureCalls, openAiPackage } from './bare-calls.ts'
import { followCall } from './call-path.ts'
import { example, exampleCore, exampleGuide } from './example-environment.ts'
import { processorTime, report } from './figure.ts'
import { freeMeter } from './free-meter.ts'
import { measureInFlight, startModelProcess } from './measure-in-flight.ts'
import { ended, openBenchEngine } from './open-bench-engine.ts'
import { openPipelineCalls } from './pipeline-calls.ts'
import { scriptedModel } from './scripted-model.ts'

async function bareLoop(episodes: number, steps: number): Promise<number> {
  const start = processorTime()
  for (let episode = 0; episode < episodes; episode += 1) {
    let { state, observation } = exampleCore.reset(example.tasks()[episode % 400]?.id ?? '', 0)
    const system = renderAgentPrompt(reactPrompt, new PromptBook(), exampleGuide, noKnowledge)
    const messages: Message[] = [
      { role: 'system', content: system },
      { role: 'user', content: observation },
    ]
    for (let step = 0; step < steps; step += 1) {
      const request = {
        model: '',
        messages,
        temperature: 1,
        top_p: 1,
        max_tokens: 100,
        seed: episode * 31 + step,
      }
      const { choices } = await scriptedModel.complete(request, { meter: freeMeter })
      const content = choices[0]?.content ?? ''
      ;({ state, observation } = exampleCore.step(state, content.split('Action: ')[1] ?? ''))
      messages.push({ role: 'assistant', content }, { role: 'user', content: observation })
    }
  }
  return (processorTime() - start) / (episodes * steps)
}

interface EngineCost {
  // Milliseconds of processor time.
  perCall: number
  calls: number
  // Bytes of the run's objects a call.
  bytes: number
}

async function throughEngine(episodes: number, record: 'text' | 'tokens' = 'text'): Promise<EngineCost> {
  const engine = await openBenchEngine(record === 'tokens' ? tokenModel : scriptedModel, 256)
  const request = runRequestSchema.parse({
    environment: exampleEnvironment,
    method: { id: 'react' },
    tasks: { split: 'train', limit: 400 },
    epochs: episodes / 400,
    model: { endpoint: 'bench', id: 'bench' },
    max_parallel: 256,
    limits: { cost: 1000 },
    record,
  })
  const start = processorTime()
  const { id } = await engine.runs.create(request)
  const run = await ended(engine, id)
  const used = processorTime() - start
  const calls = run.usage.model_calls
  const bytes = (await bytesOf(engine.world, `runs/${id}/`)) / calls
  await engine.close()
  return { perCall: used / calls, calls, bytes }
}

async function bytesOf({ objects }: Pick<World, 'objects'>, prefix: string): Promise<number> {
  let sum = 0
  let after: string | undefined
  for (let more = true; more; ) {
    const page = await objects.list(prefix, { ...(after !== undefined && { after }), limit: 1000 })
    for (const { size } of page.objects) sum += size
    after = page.objects.at(-1)?.key
    more = page.more
  }
  return sum
}

// A token for four characters, as in English; the ids of a prompt begin with those of the turns before it.
function idsOf(text: string): number[] {
  const ids: number[] = []
  for (let at = 0; at < text.length; at += 4) {
    ids.push((text.charCodeAt(at) * 131 + (text.charCodeAt(at + 2) || 0) * 31) % 150_000)
  }
  return ids
}

// The scripted model behind a server that gives tokens.
const tokenModel: ChatModel = {
  async complete(request, options) {
    const { choices, ...answer } = await scriptedModel.complete(request, options)
    const prompt_ids = request.messages.flatMap(({ content }) => [1, ...idsOf(content), 2])
    const known = choices.map((choice) => {
      const ids = [...idsOf(choice.content), 2]
      const logprobs = ids.map((id) => -(id % 997) / 331 - 0.001)
      const tokens = { source: 'vllm' as const, ids, logprobs, prompt_ids, version: 'bench', warnings: [] }
      return { ...choice, tokens }
    })
    return { ...answer, choices: known }
  },
}

const load = { parallel: 1000, latency: 1 }
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const model = await startModelProcess(load.latency)
// First, in a new process: code that ran before changes how the engine compiles these.
const bareCalls = await measureCalls(bareRequest(model.base_url), load, seconds)
const pipeline = await openPipelineCalls(model.base_url)
// The limit of concurrent calls starts low and grows with the answers.
await measureCalls(pipeline.ask, load, 10)
const inPipeline = await measureCalls(pipeline.ask, load, seconds)
await pipeline.close()
const ofPackage = await measureCalls(openAiPackage(model.base_url), load, seconds)
const service = await measureInFlight(load, seconds)
const perServiceCall = service.processor / service.calls
const ideal = load.parallel / load.latency
const share = (rate: number) => `${((100 * rate) / ideal).toFixed(1)} % of the ideal ${ideal} calls/s`
const times = (value: number) => `${(value / bareCalls.perCall).toFixed(1)} × a bare undici request`
report(
  {
    what: `A bare undici request with JSON.parse, ${load.parallel} in flight, a model of ${load.latency} s in another process`,
    value: `${bareCalls.perCall.toFixed(3)} ms processor time a call`,
    ratio: share(bareCalls.rate),
    aim: 'none: it is the yardstick',
  },
  {
    what: 'The openai package over the fetch of undici, likewise',
    value: `${ofPackage.perCall.toFixed(3)} ms processor time a call`,
    ratio: `${times(ofPackage.perCall)}; ${share(ofPackage.rate)}`,
    aim: 'none: for comparison',
  },
  {
    what: 'A model call, likewise: from `ask` to its answer, with its money in the ledger of a data folder',
    value: `${inPipeline.perCall.toFixed(3)} ms processor time a call`,
    ratio: `${times(inPipeline.perCall)}; ${share(inPipeline.rate)}`,
    aim: '≤ 3 ×, ≥ 95 %',
  },
  {
    what: 'The service, likewise: all its processes, with methods, journals, money and the API',
    value: `${perServiceCall.toFixed(3)} ms processor time a call, and ${service.memory.idle.toFixed(0)} MB before the run (${service.memory.once.toFixed(0)} MB where shared pages count once)`,
    ratio: `${times(perServiceCall)}; ${share(service.calls / service.elapsed)}`,
    aim: '≤ 3 ×, ≥ 95 %, ≤ 350 MB',
  },
)

await throughEngine(400)
const { perCall, calls, bytes } = await throughEngine(1200)
const recorded = await throughEngine(1200, 'tokens')
const bare = await bareLoop(1200, 20)
report({
  what: `Engine processor time for a model call (react, ${calls} calls: journal, money, replay safety, episode ends)`,
  value: `${perCall.toFixed(3)} ms a call, all threads`,
  ratio: `${(perCall / bare).toFixed(1)} × a bare loop that keeps nothing (${bare.toFixed(3)} ms)`,
  aim: '≤ 0.4 ms',
})
const added = { time: recorded.perCall - perCall, bytes: recorded.bytes - bytes }
report({
  what: 'The same with "record": "tokens": prompts and answers by id, a log-probability for each answer token',
  value: `${recorded.perCall.toFixed(3)} ms a call, ${added.time.toFixed(3)} ms more; ${(recorded.bytes / 1000).toFixed(2)} kB on disk a call, ${(added.bytes / 1000).toFixed(2)} kB more`,
  ratio: `${(recorded.perCall / perCall).toFixed(1)} × the processor time, ${(recorded.bytes / bytes).toFixed(1)} × the bytes of a run without (${(bytes / 1000).toFixed(2)} kB)`,
  aim: 'none: it is the price of the records',
})

const path = await followCall(model.base_url)
model.stop()
report({
  what: 'Files of a model call, from `ask` to the socket',
  value: `${path.stack.length} wait for the next: ${path.stack.join(', ')}`,
  ratio: `${path.run.length} files of models, methods and outbound routes run code in it`,
  aim: '≤ 10 wait for the next',
})
process.exit(0)
