import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { BackendLostError } from '../../../../containers/env-host/session-backend.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { ProgramProcess, type ProgramQuestion } from '../../../core/programs/program-process.ts'
import { findPythonEnvironment } from '../../../core/programs/python-environment.ts'
import { desktopScoringPackages } from '../python-packages.ts'

const folder = join(import.meta.dirname, 'scoring')

const usualLimit = 300
/** Seconds. The program itself ends a late request. After this limit the program counts as lost. */
const answerWithin = 3600

const needs =
  'It needs a Python with the packages of shared/environments/desktop/host/scoring/requirements.txt and desktop-env.txt, which ESPALIER_PYTHON names.'

const faultSchema = z.object({
  kind: z.enum(['machine', 'late', 'left_out', 'files', 'step', 'metric', 'task', 'crashed']),
  message: z.string(),
})

type Fault = z.infer<typeof faultSchema>

const answerSchema = z.object({
  fault: faultSchema.optional(),
  score: z.number().optional(),
  notes: z.array(z.string()).default([]),
})

const leftOutSchema = z.record(z.string(), z.string())

const describedSchema = z.object({
  desktop_env: z.string(),
  python: z.string(),
  metrics: z.array(z.string()),
  getters: z.array(z.string()),
  left_out: z.object({ metrics: leftOutSchema, getters: leftOutSchema, steps: leftOutSchema }),
})

export type DescribedTaskProgram = z.infer<typeof describedSchema>

export interface DesktopTaskRequest {
  machine: string
  task: Readonly<Record<string, unknown>>
  files: Readonly<Record<string, string>>
  cache: string
  /** Downloads files missing from {@link files}. @default false */
  network?: boolean
  /** The ports of programs on the machine's host. @default 9222 and 8080 */
  ports?: { chromium?: number; vlc?: number }
  /** Seconds for the request. @default 300 */
  within?: number
  /** Multiplies the fixed waits of the task's own steps, for slow machines. @default `ESPALIER_DESKTOP_PACE`, or 1 */
  pace?: number
}

export interface DesktopScoreRequest extends DesktopTaskRequest {
  actions: readonly string[]
}

export interface SetUpTask {
  notes: string[]
}

export interface ScoredTask extends SetUpTask {
  score: number
}

export interface TaskProgram {
  describe(): Promise<DescribedTaskProgram>
  /**
   * @throws BackendLostError when the machine cannot be reached, or the program is gone; EspalierError
   * `environment_failed` for a failed step and for missing requirements of the task; the signal's reason when it
   * aborts
   */
  setUp(request: DesktopTaskRequest, signal?: AbortSignal): Promise<SetUpTask>
  /** @throws as {@link setUp} does; a failure is never a score of 0 */
  score(request: DesktopScoreRequest, signal?: AbortSignal): Promise<ScoredTask>
  stop(): Promise<void>
}

/**
 * The command that starts the program: the Python of {@link desktopScoringPackages} if installed, else that of
 * `ESPALIER_PYTHON`, which has the packages itself, as in the image.
 */
export async function findTaskProgram(variables: NodeJS.ProcessEnv): Promise<string[]> {
  const { python, beside, isInstalled } = await findPythonEnvironment(desktopScoringPackages(variables))
  const program = join(folder, 'score_tasks.py')
  if (isInstalled && beside !== null) return [python, program, beside]
  return [variables.ESPALIER_PYTHON ?? 'python3', program]
}

/**
 * Starts the program at the first request, and again after it has ended.
 * @param log receives the program's own output and end
 * @param variables `ESPALIER_PYTHON`, `ESPALIER_CACHE` and `ESPALIER_DESKTOP_PACE`
 * @throws EspalierError `invalid_request` for a pace that is no number from 1 to 20
 */
export function openTaskProgram(
  log: (level: 'info' | 'warn' | 'error', event: string, fields?: object) => void,
  variables: NodeJS.ProcessEnv = process.env,
): TaskProgram {
  const usual = { within: usualLimit, pace: readPace(variables.ESPALIER_DESKTOP_PACE) }
  let command: Promise<string[]> | null = null
  let current: ProgramProcess | null = null
  let isStopped = false

  const alive = async (): Promise<ProgramProcess> => {
    command ??= findTaskProgram(variables)
    const words = await command
    if (isStopped) throw new BackendLostError('The program that scores tasks was stopped.')
    if (current?.isAlive) return current
    // A program of ours: the image's memory limits it.
    const own = { variables: process.env, memory: Number.POSITIVE_INFINITY }
    const lostError = (message: string) => new BackendLostError(`${message} ${needs}`)
    current = new ProgramProcess({ command: words, answerWithin, log, lostError, ...own })
    return current
  }

  const play = async (
    question: ProgramQuestion,
    signal?: AbortSignal,
  ): Promise<SetUpTask & { score?: number | undefined }> => {
    signal?.throwIfAborted()
    const program = await alive()
    signal?.throwIfAborted()
    const key = randomUUID()
    const cancel = () => {
      // The cancelled request's own answer shows whether this arrived.
      program.ask({ op: 'cancel', key }, z.object({})).catch(() => undefined)
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const { fault, ...answer } = await program.ask({ ...question, key }, answerSchema)
      signal?.throwIfAborted()
      if (fault) throw errorOf(fault, question)
      return answer
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  return {
    async describe() {
      return (await alive()).ask({ op: 'describe' }, describedSchema)
    },
    async setUp(request, signal) {
      const { notes } = await play({ ...usual, ...request, op: 'set_up' }, signal)
      return { notes }
    },
    async score(request, signal) {
      const { score, notes } = await play({ ...usual, ...request, op: 'score' }, signal)
      if (score === undefined)
        throw new EspalierError('internal', 'The program scored a task without a score.')
      return { score, notes }
    },
    async stop() {
      isStopped = true
      await current?.end()
    },
  }
}

function readPace(written = '1'): number {
  const pace = Number(written)
  if (pace >= 1 && pace <= 20) return pace
  throw new EspalierError(
    'invalid_request',
    `ESPALIER_DESKTOP_PACE is ${JSON.stringify(written)}. Give a number from 1 to 20, or leave it out.`,
  )
}

function errorOf({ kind, message }: Fault, question: ProgramQuestion): Error {
  if (kind === 'machine') return new BackendLostError(message)
  const { id } = question.task as { id?: unknown }
  const what = question.op === 'score' ? 'could not be scored' : 'could not be set up'
  return new EspalierError('environment_failed', `The task ${String(id)} ${what}: ${message}`)
}
