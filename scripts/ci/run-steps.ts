import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { killGroup, stopTree } from './process-tree.ts'

export interface Step {
  name: string
  command: readonly string[]
  /** Cores that it keeps busy. A step that measures times takes all of them, and runs alone. */
  cores: number
  memory: number
  /** Steps that must end before it starts. It does not run if one of them failed. */
  after?: readonly string[]
}

export interface StepOutcome {
  name: string
  status: 'passed' | 'failed' | 'not run'
  reason: string
  seconds: number
  /** Processor time of all its ended processes; null when unknown. */
  processorSeconds: number | null
  output: string
}

export interface StepsRequest {
  steps: readonly Step[]
  budget: { cores: number; memory: number }
  folder: string
  /** Seconds after which a step is stopped and fails. */
  longest: number
  /** Milliseconds for a stopped step to end by itself before it is killed; default 5,000. */
  grace?: number
  onEnd: (outcome: StepOutcome) => void
  signal?: AbortSignal
}

/** Bash's `times` has the processor time of the command and all processes that it waited for. */
const timed = 'file=$1; shift; "$@"; code=$?; times > "$file"; exit $code'

/**
 * Runs steps concurrently within a budget of cores and memory. The first ready step in the list that fits starts
 * next. A step larger than the budget runs alone. A failure stops only the steps that depend on it. Each step has its
 * own process group, of which nothing is left when it has ended.
 */
export async function runSteps(request: StepsRequest): Promise<StepOutcome[]> {
  const { steps, budget, onEnd, signal } = request
  const waiting = [...steps]
  const running = new Map<Step, Promise<void>>()
  const outcomes: StepOutcome[] = []
  const end = (outcome: StepOutcome) => {
    outcomes.push(outcome)
    onEnd(outcome)
  }
  const used = (part: 'cores' | 'memory') =>
    [...running.keys()].reduce((sum, step) => sum + Math.min(step[part], budget[part]), 0)
  const fits = (step: Step) =>
    (['cores', 'memory'] as const).every(
      (part) => used(part) + Math.min(step[part], budget[part]) <= budget[part],
    )
  const before = ({ after = [] }: Step) => outcomes.filter(({ name }) => after.includes(name))
  const isReady = (step: Step) => before(step).length === (step.after ?? []).length

  while (waiting.length > 0 || running.size > 0) {
    const next = signal?.aborted ? undefined : waiting.find((step) => isReady(step) && fits(step))
    if (next === undefined) {
      if (running.size === 0) break
      await Promise.race(running.values())
      continue
    }
    waiting.splice(waiting.indexOf(next), 1)
    const failed = before(next).find(({ status }) => status !== 'passed')
    if (failed) {
      const reason = `${failed.name} ${failed.status === 'failed' ? 'failed' : 'did not run'}`
      end({ name: next.name, status: 'not run', reason, seconds: 0, processorSeconds: null, output: '' })
      continue
    }
    const ended = runStep(next, request).then((outcome) => {
      running.delete(next)
      end(outcome)
    })
    running.set(next, ended)
  }
  signal?.throwIfAborted()
  if (waiting.length > 0)
    throw new Error(`Steps wait for what is not in the list: ${waiting.map(({ name }) => name).join(', ')}`)
  return outcomes
}

async function runStep(
  step: Step,
  { folder, longest, grace = 5000, signal }: StepsRequest,
): Promise<StepOutcome> {
  const file = join(folder, `${step.name.replaceAll(/\W+/g, '-')}`)
  const log = openSync(`${file}.log`, 'w')
  const started = performance.now()
  const child = spawn('bash', ['-c', timed, 'step', `${file}.times`, ...step.command], {
    stdio: ['ignore', log, log],
    detached: true,
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, killedBy) =>
      resolve(code === 0 ? '' : killedBy === null ? `exit code ${code}` : `ended by ${killedBy}`),
    )
  })
  closeSync(log)
  let stopped = ''
  let stopping = Promise.resolve()
  const stop = (why: string) => {
    if (stopped !== '' || child.pid === undefined) return
    stopped = why
    stopping = stopTree(child.pid, grace)
  }
  const onAbort = () => stop('it was interrupted')
  signal?.addEventListener('abort', onAbort)
  const limit = setTimeout(() => stop(`it ran for more than ${longest} s`), longest * 1000)
  const reason = await ended
  clearTimeout(limit)
  signal?.removeEventListener('abort', onAbort)
  await stopping
  if (child.pid !== undefined) killGroup(child.pid)
  return {
    name: step.name,
    status: reason === '' && stopped === '' ? 'passed' : 'failed',
    reason: stopped || reason,
    seconds: (performance.now() - started) / 1000,
    processorSeconds: readTimes(`${file}.times`),
    output: readFileSync(`${file}.log`, 'utf8'),
  }
}

/** The last line of bash's `times`: user and system time of its child processes, for example `1m2.345s 0m0.678s`. */
function readTimes(file: string): number | null {
  if (!existsSync(file)) return null
  const last = readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? ''
  const times = [...last.matchAll(/(\d+)m([\d.,]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds?.replace(',', '.')),
  )
  return times.length === 0 ? null : times.reduce((sum, each) => sum + each, 0)
}
