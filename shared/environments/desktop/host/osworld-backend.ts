import { setTimeout as delay } from 'node:timers/promises'
import { errorText } from '../../../../containers/env-host/host-log.ts'
import {
  type BackendAnswer,
  BackendLostError,
  type SessionBackend,
} from '../../../../containers/env-host/session-backend.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { type DesktopAction, writeDesktopAction } from '../../osworld/actions/desktop-action.ts'
import { readDesktopActions } from '../../osworld/actions/read-desktop-actions.ts'
import { describeDesktop } from '../../osworld/observations/desktop-observation.ts'
import type { OsworldOptions } from '../../osworld/options.ts'
import type { OsworldTask } from '../../osworld/task-file.ts'
import type { SeenResult } from '../../session-source.ts'
import { compareScreens } from './compare-screens.ts'
import { Machine } from './machine-client.ts'
import { observeDesktop, type ShownDesktop } from './observe-desktop.ts'
import type { DesktopSeat, MachineSeats } from './seats.ts'
import type { TaskProgram } from './task-program.ts'

const waitSeconds = 2
/** Milliseconds for a screen to match the recorded one, beyond its settling. */
const likenWithin = 15_000

const noticedWithin = 300

export interface OsworldProblem {
  task: OsworldTask
  options: OsworldOptions
  files: Readonly<Record<string, string>>
  cache: string
}

interface Playing {
  seat: DesktopSeat
  machine: Machine
  shown: ShownDesktop
  actions: string[]
  steps: number
}

interface Outcome {
  isValid: boolean
  notice?: string
  isOver: boolean
}

export class OsworldBackend implements SessionBackend {
  readonly #seats: Pick<MachineSeats, 'take'>
  readonly #program: TaskProgram
  readonly #problem: OsworldProblem
  readonly #onClose: () => Promise<void>
  readonly #closing = new AbortController()
  #playing: Playing | null = null

  constructor(
    seats: Pick<MachineSeats, 'take'>,
    program: TaskProgram,
    problem: OsworldProblem,
    onClose: () => Promise<void>,
  ) {
    this.#seats = seats
    this.#program = program
    this.#problem = problem
    this.#onClose = onClose
  }

  async reset(): Promise<BackendAnswer> {
    await this.#leave()
    const seat = await this.#seats.take(this.#closing.signal)
    try {
      return await guard(seat, async () => {
        const machine = new Machine(seat.address, this.#ending(seat))
        await this.#program.setUp(this.#asked(seat), this.#ending(seat))
        const shown = await this.#observe(machine)
        this.#playing = { seat, machine, shown, actions: [], steps: 0 }
        return { ...this.#answer(shown, { isValid: true, isOver: false }, 0), runtime: seat.runtime }
      })
    } catch (error) {
      await seat.close()
      throw error
    }
  }

  async step(written: string, seen?: SeenResult): Promise<BackendAnswer> {
    const playing = this.#playing
    if (playing === null) throw new Error('A session is reset before it takes steps.')
    return guard(playing.seat, async () => {
      if (seen !== undefined) await this.#liken(playing, seen)
      const outcome = await this.#take(playing, written)
      playing.shown = await this.#observe(playing.machine)
      // Show the screen that the episode ended on: scoring may open and save files.
      const score = outcome.isOver ? await this.#score(playing) : 0
      return this.#answer(playing.shown, outcome, score)
    })
  }

  validActions(): null {
    return null
  }

  interrupt(): void {
    this.#closing.abort(new Error('The session is closed.'))
  }

  async close(): Promise<void> {
    try {
      await this.#leave()
    } finally {
      await this.#onClose()
    }
  }

  async #liken(playing: Playing, seen: SeenResult): Promise<void> {
    const end = performance.now() + likenWithin
    let compared = compareScreens(seen, this.#seen(playing.shown))
    while (!compared.isSame && performance.now() < end) {
      await delay(500)
      playing.shown = await this.#observe(playing.machine)
      compared = compareScreens(seen, this.#seen(playing.shown))
    }
    if (compared.isSame) return
    const part = compared.of === 'rows' ? 'the rows of its table' : 'its picture'
    throw new EspalierError(
      'replay_diverged',
      `The desktop of ${this.#problem.task.id} shows something else after the same ${playing.steps} actions: ${Math.floor(compared.likeness * 100)} % of ${part} is what was recorded. Its programs may be of another version; play the task afresh.`,
    )
  }

  async #take(playing: Playing, written: string): Promise<Outcome> {
    playing.steps += 1
    const { options } = this.#problem
    const isLast = playing.steps >= options.max_steps
    const { actions, problem } = readDesktopActions(written, options, playing.shown.marks)
    if (problem !== undefined) return { isValid: false, notice: problem, isOver: isLast }
    for (const action of actions) {
      playing.actions.push(writeDesktopAction(action))
      if (action.kind === 'done' || action.kind === 'fail') return { isValid: true, isOver: true }
      const failure = await perform(playing.machine, action, options)
      if (failure !== null) {
        return { isValid: false, notice: `The action failed: ${failure}`, isOver: isLast }
      }
    }
    const notice = `The task is over: it has ${options.max_steps} steps at most.`
    return { isValid: true, isOver: isLast, ...(isLast && { notice }) }
  }

  #observe(machine: Machine): Promise<ShownDesktop> {
    return observeDesktop(machine, this.#problem.options)
  }

  #textOf({ table }: ShownDesktop, notice?: string): string {
    const { instruction } = this.#problem.task
    return describeDesktop({
      instruction,
      ...(notice !== undefined && { notice }),
      ...(table !== undefined && { table }),
    })
  }

  #seen(shown: ShownDesktop): SeenResult {
    return {
      observation: this.#textOf(shown),
      ...(shown.sketch !== undefined && { screen: shown.sketch }),
    }
  }

  #answer(shown: ShownDesktop, { isValid, notice, isOver }: Outcome, reward: number): BackendAnswer {
    const { pictures, sketch } = shown
    return {
      observation: this.#textOf(shown, notice),
      ...(pictures.length > 0 && { pictures }),
      ...(sketch !== undefined && { screen: sketch }),
      reward,
      done: isOver,
      valid: isValid,
      progress: reward,
    }
  }

  async #score({ seat, actions }: Playing): Promise<number> {
    const { score } = await this.#program.score({ ...this.#asked(seat), actions }, this.#ending(seat))
    return Math.min(Math.max(score, 0), 1)
  }

  #ending({ lost }: DesktopSeat): AbortSignal {
    return AbortSignal.any([lost, this.#closing.signal])
  }

  #asked({ address, network, ports }: DesktopSeat) {
    const { task, files, cache } = this.#problem
    return { machine: address, task, files, cache, network, ...(ports && { ports }) }
  }

  async #leave(): Promise<void> {
    const playing = this.#playing
    this.#playing = null
    await playing?.seat.close()
  }
}

async function guard<Answer>(seat: DesktopSeat, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackendLostError) throw error
    // The loss of a machine becomes visible shortly after its first failure.
    if (!seat.lost.aborted) await delay(noticedWithin)
    if (!seat.lost.aborted) throw error
    throw new BackendLostError(`its desktop is gone: ${errorText(seat.lost.reason)}`)
  }
}

async function perform(
  machine: Machine,
  action: DesktopAction,
  { pause }: OsworldOptions,
): Promise<string | null> {
  if (action.kind === 'code') return machine.act(action.code)
  await delay(Math.max(waitSeconds, pause) * 1000)
  return null
}
