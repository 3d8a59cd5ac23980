import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Message } from '../shared/core/contracts/message.ts'
import { noKnowledge, renderAgentPrompt } from '../shared/play/methods/prompts/agent-prompt.ts'
import { reactPrompt } from '../shared/play/methods/prompts/react-prompt.ts'
import { PromptBook } from '../shared/play/search/prompt-book.ts'
import { answerPrompt } from '../shared/play/simulated/simulated-policy.ts'
import { pythonWith } from '../test/support/python-venv.ts'
import { example, exampleCore, exampleGuide } from './example-environment.ts'
import { report } from './figure.ts'
import { type InFlight, measureInFlight, startModelProcess } from './measure-in-flight.ts'

/**
 * Compares Espalier with Inspect AI (https://inspect.aisi.org.uk): concurrent agents against the same simulated
 * endpoint, with the same prompts. Inspect replays recorded conversations, so that it computes no environment. It
 * logs with its defaults, and runs for ten seconds before the measurement.
 */
const load = { parallel: 200, latency: Number(process.env.BENCH_LATENCY ?? 1) }
const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const ramp = 10
const ideal = load.parallel / load.latency

type Measured = Pick<InFlight, 'elapsed' | 'calls' | 'processor'>

async function measureInspect(): Promise<Measured & { version: string }> {
  const requirements = 'bench/inspect/requirements.txt'
  const python = await pythonWith(requirements)
  const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
  const { base_url, stop } = await startModelProcess(load.latency)
  try {
    const conversations = join(folder, 'conversations.json')
    const episodes = Math.ceil((ideal * (ramp + seconds + 10)) / 5) + load.parallel
    await writeFile(conversations, JSON.stringify(recordConversations(episodes)))
    const settings = {
      conversations,
      base_url,
      parallel: load.parallel,
      ramp,
      seconds,
      folder,
      max_tokens: 100,
    }
    const script = join(import.meta.dirname, 'inspect/play_conversations.py')
    const { stdout } = await promisify(execFile)(python, [script, JSON.stringify(settings)], {
      cwd: folder,
      env: { ...process.env, INSPECT_LOG_LEVEL: 'error' },
    })
    const version = (await readFile(join(import.meta.dirname, '..', requirements), 'utf8')).match(
      /inspect_ai==(\S+)/,
    )?.[1]
    return { ...(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured), version: version ?? '' }
  } finally {
    stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const row = (name: string, { elapsed, calls, processor }: Measured) =>
  [
    name.padEnd(20),
    `${(calls / elapsed).toFixed(0)}`.padStart(10),
    `${((100 * calls) / elapsed / ideal).toFixed(1)} %`.padStart(14),
    `${(processor / calls).toFixed(2)} ms`.padStart(26),
  ].join('')

const own = await measureInFlight(load, seconds)
const { version, ...inspect } = await measureInspect()
report({
  what: `Espalier beside Inspect AI: ${load.parallel} agents in flight, a model of ${load.latency} s in another process, ${seconds} s each`,
  value: [
    '                      calls/s  of the ideal  processor time a call',
    row('Espalier', own),
    row(`Inspect AI ${version}`, inspect),
  ].join('\n  '),
  ratio: `${(inspect.processor / inspect.calls / (own.processor / own.calls)).toFixed(1)} × the processor time a call`,
  aim: 'measured in the same run; none stated',
})

interface Conversation {
  system: string
  observations: string[]
}

function recordConversations(count: number): Conversation[] {
  const system = renderAgentPrompt(reactPrompt, new PromptBook(), exampleGuide, noKnowledge)
  const tasks = example.tasks()
  return Array.from({ length: count }, (_, episode) => ({
    system,
    observations: playEpisode(system, tasks[episode % tasks.length]?.id ?? '', episode),
  }))
}

function playEpisode(system: string, task: string, episode: number): string[] {
  let { state, observation } = exampleCore.reset(task, 0)
  let done = false
  const observations: string[] = []
  const messages: Message[] = [{ role: 'system', content: system }]
  while (!done && observations.length < example.default_max_steps) {
    observations.push(observation)
    messages.push({ role: 'user', content: observation })
    const seed = episode * example.default_max_steps + observations.length
    const content = answerPrompt(messages, { skill: 0.4, seed: 1 }, { seed, choice: 0 })
    messages.push({ role: 'assistant', content })
    ;({ state, observation, done } = exampleCore.step(state, content.split('Action: ')[1] ?? ''))
  }
  return observations
}
