import { EspalierError } from '../../core/contracts/errors.ts'
import type { Observation } from '../../core/contracts/message.ts'
import type { PlayTurn } from '../../core/contracts/play-session.ts'
import type { TrajectoryLine } from '../../core/contracts/trajectory-import.ts'
import type { TreeNode } from '../../core/contracts/tree.ts'
import { findWrongField, refuseWrong } from '../check-result.ts'
import type { EnvironmentGuide, EnvironmentTask } from '../environment.ts'
import type { OpenEnvironment } from '../open-environments.ts'
import type { PathStep, RecordedAnswer } from '../recorded-path.ts'
import type { SessionPool } from '../session-pool.ts'
import { actionOfCall } from '../tools/action-tool.ts'

export interface HandPlayParts {
  id: string
  opened: OpenEnvironment
  task: EnvironmentTask
  seed: number
  pool: SessionPool
  mostSteps: number
}

export interface PlayedStep {
  path: PathStep
  thought: string | null
  observation: Observation
  reward: number | null
}

export class HandPlay {
  readonly id: string
  readonly task: EnvironmentTask
  readonly seed: number
  readonly mostSteps: number
  readonly opened: OpenEnvironment
  readonly guide: EnvironmentGuide
  readonly #pool: SessionPool
  #steps: readonly PlayedStep[] = []
  #validActions: readonly string[] | null = null

  constructor({ id, opened, task, seed, pool, mostSteps }: HandPlayParts) {
    this.id = id
    this.opened = opened
    this.task = task
    this.seed = seed
    this.mostSteps = mostSteps
    this.guide = opened.environment.describe(task)
    this.#pool = pool
  }

  get steps(): readonly PlayedStep[] {
    return this.#steps
  }

  get validActions(): readonly string[] | null {
    return this.#validActions
  }

  get canUndo(): boolean {
    return this.opened.environment.snapshot !== 'none'
  }

  async start(signal: AbortSignal): Promise<void> {
    const answer = await this.#pool.open(signal)
    this.#steps = [this.#note(null, answer, null)]
    await this.#list(signal)
  }

  /**
   * @throws EspalierError `step_conflict`, `session_done`; `invalid_request` for a call that fits no tool;
   * `not_supported` to go back in an environment that cannot; the path stays as it was
   */
  async turn({ action: text, call, from, thought }: PlayTurn, signal: AbortSignal): Promise<void> {
    const taken = this.#steps.length - 1
    if (from > taken) throw conflict(from, taken)
    if (from < taken && !this.canUndo) throw noWayBack(this.opened.environment.id)
    const action = call === undefined ? text : this.#actionOf(call)
    const kept = this.#steps.slice(0, from + 1)
    if (action === undefined) {
      this.#steps = kept
      await this.#list(signal)
      return
    }
    if (kept.at(-1)?.path.answer.done) throw done()
    if (from >= this.mostSteps) throw tooLong(this.mostSteps)
    const path = kept.map((step) => step.path)
    const answer = await this.#pool.step(path, action, signal)
    this.#steps = [...kept, this.#note(action, answer, thought ?? null)]
    await this.#list(signal)
  }

  rest(): void {
    if (this.canUndo && this.opened.environment.deterministic) this.#pool.rest()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  /**
   * The path as a line of an import, as an expert's trajectory.
   * @throws EspalierError `invalid_state` if there is no step, or its reward is unknown or no share
   */
  toLine(): TrajectoryLine {
    const last = this.#steps.at(-1)
    if (this.#steps.length < 2 || last === undefined)
      throw notSaved('Nothing was done yet: take a step first.')
    const { reward } = last
    if (reward === null)
      throw notSaved(
        'A model would have to judge its reward, and none is asked here: play the task in a run.',
      )
    if (reward < 0 || reward > 1)
      throw notSaved(`Its reward is ${reward}, and a trajectory’s is from 0 to 1. Go back to another step.`)
    const { environment } = this.opened
    const start = this.#steps[0]?.path.answer.observation ?? ''
    return {
      schema_version: 'espalier-trajectory-v1',
      file: null,
      line: 1,
      row: 1,
      model: 'person',
      reward,
      tree: {
        schema_version: 'espalier-tree-v1',
        environment: environment.id,
        task: this.task.id,
        method: 'expert',
        messages: [
          { role: 'system', content: this.guide.rules },
          { role: 'user', content: start },
        ],
        best: this.#steps.length - 1,
        nodes: this.#steps.map((step, index) => toNode(step, index, this.#steps.length - 1)),
      },
    }
  }

  #actionOf(call: NonNullable<PlayTurn['call']>): string {
    const read = actionOfCall(call, this.guide.tools ?? [])
    if ('action' in read) return read.action
    throw new EspalierError('invalid_request', read.feedback, { param: 'call' })
  }

  async #list(signal: AbortSignal): Promise<void> {
    const isOver = this.#steps.at(-1)?.path.answer.done === true
    const path = this.#steps.map((step) => step.path)
    this.#validActions = isOver ? [] : await this.#pool.validActions(path, signal)
  }

  #note(action: string | null, answer: RecordedAnswer, thought: string | null): PlayedStep {
    const { environment } = this.opened
    refuseWrong(findWrongField(answer, environment), {
      environment: environment.id,
      step: this.#steps.length,
    })
    const { pictures = [], questions, observation, reward } = answer
    const captions = questions?.captions ?? []
    const text = captions.reduce((shown, { placeholder }) => shown.replaceAll(placeholder, ''), observation)
    return {
      path: { action, answer },
      thought,
      observation: [{ type: 'text', text }, ...pictures],
      reward: (questions?.verdicts.length ?? 0) > 0 ? null : reward,
    }
  }
}

function toNode({ observation, path, reward, thought }: PlayedStep, index: number, last: number): TreeNode {
  const { action, answer } = path
  const said = thought === null ? '' : `Thought: ${thought}\n`
  return {
    parent: index === 0 ? null : index - 1,
    depth: index,
    action,
    message: action === null ? null : `${said}Action: ${action}`,
    observation,
    reward: index === 0 ? 0 : (reward ?? 0),
    terminal: index === last,
    done: answer.done,
    disaster: false,
    ...(index > 0 && { valid: answer.valid, progress: answer.progress }),
    visits: 0,
    value: 0,
    prior: 1,
    state_hash: answer.state_hash,
  }
}

function conflict(from: number, taken: number): EspalierError {
  return new EspalierError(
    'step_conflict',
    `The session has ${taken} steps, so none can follow step ${from}: it went on, or back, elsewhere. Get it again.`,
    { param: 'from' },
  )
}

function done(): EspalierError {
  return new EspalierError('session_done', 'The task has ended. Go back a step, or start another.', {
    param: 'action',
  })
}

function tooLong(most: number): EspalierError {
  return new EspalierError(
    'limits_exceeded',
    `A session has at most ${most} steps. Go back, or start another.`,
  )
}

function noWayBack(environment: string): EspalierError {
  return new EspalierError(
    'not_supported',
    `${environment} cannot go back to an earlier state. Start the task again.`,
    { param: 'from' },
  )
}

function notSaved(message: string): EspalierError {
  return new EspalierError('invalid_state', message)
}
