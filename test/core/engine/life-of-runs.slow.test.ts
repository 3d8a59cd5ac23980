import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode, EpisodeResult } from '../../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import { WorkerLogs } from '../../../shared/core/engine/log/worker-logs.ts'
import { type Engine, openEngine } from '../../../shared/core/engine/open-engine.ts'
import type { IncomingMessage, QueueName, World } from '../../../shared/core/world/ports.ts'
import { mortalWorld } from '../../support/mortal-world.ts'
import { toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import {
  countCalls,
  ScriptedEndpoint,
  scriptedPlanner,
  scriptedPrograms,
} from '../../support/scripted-runs.ts'

/** LIFE_OF_RUNS=1000 tries more sequences than fit into the time of a unit test. */
const sequences = Number(process.env.LIFE_OF_RUNS ?? 60)
const tasks = 2
const hour = 3_600_000

/** What is known of the run from what was seen of it last. */
interface Seen {
  episodes: Map<string, Episode>
  cost: number
  /** How often it was extended or retried: as often an episode may end once more. */
  generations: number
}

/** A service over one world whose workers come and go, and the run that a sequence of commands is about. */
class Life {
  readonly #world: World
  readonly #endpoint = new ScriptedEndpoint()
  #workers = 0
  run = ''
  seen: Seen = { episodes: new Map(), cost: 0, generations: 0 }
  broken = false

  constructor(world: World) {
    // Queues that deliver at once what was to wait, so that no test does.
    const hasty = (queue: World['queues'][QueueName]): World['queues'][QueueName] => ({
      send: (messages) => queue.send(messages.map(({ body, group }) => ({ body, group }))),
      receive: (options) => queue.receive(options),
      delete: (receipt) => queue.delete(receipt),
      extend: (receipt, visibility) => queue.extend(receipt, visibility),
      dead_letters: queue.dead_letters,
    })
    const { episodes, alone } = world.queues
    this.#world = { ...world, queues: { ...world.queues, episodes: hasty(episodes), alone: hasty(alone) } }
  }

  open(world = this.#world): Engine & { name: string } {
    this.#workers += 1
    const name = `worker-${this.#workers}`
    const engine = openEngine({
      world,
      planner: scriptedPlanner(tasks),
      programs: scriptedPrograms(this.#endpoint),
      reconcile: this.#endpoint.reconcile,
      code: 'code',
      worker: name,
      deaths: 'witnessed',
      ...(this.#workers % 2 === 1 && { logs: new WorkerLogs(world, 1) }),
      onError: () => undefined,
    })
    return { ...engine, name }
  }

  get runs() {
    return this.open().runs.of('default')
  }

  async begin(): Promise<void> {
    this.#endpoint.forget()
    this.broken = false
    this.run = (await this.runs.create(toRequest({ max_retries: 0, max_parallel: 2 }))).id
    this.seen = { episodes: new Map(), cost: 0, generations: 0 }
    await this.look(true)
  }

  /** Plays some messages side by side, until so many calls were made; answers whether there were any. */
  async play(max: number, calls: number): Promise<boolean> {
    const engine = this.open()
    let left = calls
    this.#endpoint.onCall = (task) => {
      left -= 1
      if (left <= 0) engine.runner.stop('shutdown', 'The worker stops.')
      if (this.broken && task.endsWith('0')) throw new Error('Broken.')
    }
    await this.#enlist(engine.name)
    const taken = await this.#take(max)
    await Promise.all(
      taken.map(async ({ queue, message }) => {
        await engine.runner.play(message, queue === 'alone')
        await this.#world.queues[queue].delete(message.receipt)
      }),
    )
    await engine.runner.leave()
    await this.#world.ledger.update({ key: ledgerKeys.worker(engine.name), delete: true })
    return taken.length > 0
  }

  /**
   * Plays some messages in a process that is killed at one of its writes, and has it buried: be it before an end is made, between
   * the end and its counting, while it is the run's steward, or after.
   *
   * @param meanwhile - what happens before it is buried, while what it held is still held
   */
  async kill(writes: number, isWritten: boolean, meanwhile: () => Promise<unknown>): Promise<void> {
    const mortal = mortalWorld(this.#world, writes, isWritten)
    const engine = this.open(mortal.world)
    this.#endpoint.onCall = () => undefined
    await this.#enlist(engine.name)
    const taken = await this.#take(2)
    const played = Promise.all(
      taken.map(async ({ queue, message }) => {
        await engine.runner.play(message, queue === 'alone')
        await mortal.world.queues[queue].delete(message.receipt)
      }),
    )
    await Promise.race([played, mortal.dead])
    await meanwhile()
    await this.#world.ledger.update({ key: ledgerKeys.worker(engine.name), set: { expires: 0 } })
    for (const { queue, message } of taken) await this.#world.queues[queue].extend(message.receipt, 0)
    await this.sweep()
  }

  /** Plays whatever there is; what comes next is asked of a run that has ended, or waits. */
  async playOut(): Promise<void> {
    while (await this.play(10, Number.POSITIVE_INFINITY));
  }

  async duplicate(index: number): Promise<void> {
    const [episode] = [...this.seen.episodes.keys()].slice(index)
    if (episode === undefined) return
    await this.#world.queues.episodes.send([{ body: { run: this.run, episode }, group: this.run }])
  }

  /** Twice, the second time late enough for the endpoint's log to have every call that ever reaches it. */
  async sweep(): Promise<void> {
    await this.open().sweep({ lostAfter: 3600 })
    const clock = { ...this.#world.clock, now: () => this.#world.clock.now() + 11_000 }
    await this.open({ ...this.#world, clock }).sweep({ lostAfter: 3600 })
  }

  /** What a user asks for; where the run's status does not allow it, nothing. */
  async ask(action: 'pause' | 'resume' | 'extend' | 'cancel' | 'retry'): Promise<void> {
    const { run, runs } = this
    try {
      if (action === 'extend') await runs.extend(run, {})
      else if (action === 'resume') await runs.resume(run, {})
      else await runs[action](run)
      if (action === 'extend' || action === 'retry') this.seen.generations += 1
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code !== 'invalid_state') throw error
    }
  }

  /** Brings the run to an end, as it can be from everywhere. */
  async finish(): Promise<void> {
    for (let rounds = 0; rounds < 40; rounds += 1) {
      const { status } = await this.runs.get(this.run)
      if (status === 'paused') await this.ask('resume')
      await this.playOut()
      await this.look(true)
      await this.sweep()
      if (status === 'succeeded' || status === 'failed' || status === 'cancelled') return this.#checkEnd()
    }
    throw new Error(`The run does not end: ${JSON.stringify(await this.runs.get(this.run))}`)
  }

  /**
   * Checks the laws against what was seen before.
   *
   * @param mayEnd - whether an episode may have ended since
   */
  async look(mayEnd: boolean): Promise<void> {
    const { run, runs, seen } = this
    const now = await runs.get(run)
    const episodes = (await runs.episodes(run, { limit: 100 })).data
    expect(new Set(episodes.map(({ id }) => id)).size).toBe(now.episodes.total)
    expect(countStatuses(episodes)).toEqual(countersOf(now))
    for (const episode of episodes) await this.#checkResult(seen.episodes.get(episode.id), episode, mayEnd)
    const cost = now.usage.cost ?? 0
    expect(cost).toBeGreaterThanOrEqual(seen.cost)
    this.seen = { ...seen, cost, episodes: new Map(episodes.map((episode) => [episode.id, episode])) }
  }

  async #checkResult(before: Episode | undefined, episode: Episode, mayEnd: boolean): Promise<void> {
    const { result, status } = episode
    const isOpen = status === 'queued' || status === 'running'
    expect(status === 'cancelled' ? null : isOpen ? status : result?.status).toBe(
      status === 'cancelled' ? result : status,
    )
    if (before?.result && (!mayEnd || result === null || episode.starts === before.starts)) {
      expect(result).toEqual(before.result)
    }
    if (result !== null && result.status !== 'errored') await this.#checkObjects(episode.id, result)
  }

  /** The tree, the trajectory and the journal are those that the result was made of. */
  async #checkObjects(episode: string, { steps }: EpisodeResult): Promise<void> {
    const { run, runs } = this
    for (const kind of ['tree', 'trajectory'] as const) {
      const shown = await runs[kind](run, episode)
      const body = 'stored' in shown ? (await this.#world.objects.get(shown.stored))?.body : undefined
      expect(JSON.parse(Buffer.from(body ?? []).toString('utf8'))).toEqual({ calls: steps })
    }
    expect(countCalls(await runs.journal(run, episode))).toBe(steps)
  }

  /** At rest, what was paid is what the endpoint was paid, and no episode ended more often than it was asked to. */
  async #checkEnd(): Promise<void> {
    await this.look(true)
    const { run, runs, seen } = this
    expect(seen.cost).toBe(this.#endpoint.cost)
    const { lost_calls, usage } = await runs.get(run)
    const journals = await Promise.all([...seen.episodes.keys()].map((id) => runs.journal(run, id)))
    expect(countCalls(journals.flat())).toBeLessThanOrEqual(usage.model_calls - lost_calls)
    const ends = new Map<string, number>()
    for (const event of await runs.events(run, { after: 0, limit: 1000 })) {
      if (event.type === 'episode.ended') ends.set(event.episode, (ends.get(event.episode) ?? 0) + 1)
    }
    for (const times of ends.values()) expect(times).toBeLessThanOrEqual(1 + seen.generations)
  }

  async #enlist(worker: string): Promise<void> {
    await this.#world.ledger.update({ key: ledgerKeys.worker(worker), set: { expires: Date.now() + hour } })
  }

  async #take(max: number): Promise<{ queue: 'episodes' | 'alone'; message: IncomingMessage }[]> {
    const { alone, episodes } = this.#world.queues
    const options = { wait: 0, visibility: 3600 }
    const lonely = await alone.receive({ max: 1, ...options })
    if (lonely.length > 0) return lonely.map((message) => ({ queue: 'alone', message }))
    const taken = await episodes.receive({ max, ...options })
    return taken.map((message) => ({ queue: 'episodes', message }))
  }
}

function countStatuses(episodes: readonly Episode[]): ReturnType<typeof countersOf> {
  const count = (...statuses: Episode['status'][]) =>
    episodes.filter(({ status }) => statuses.includes(status)).length
  return {
    open: count('queued', 'running'),
    succeeded: count('succeeded'),
    failed: count('failed'),
    limited: count('limited'),
    errored: count('errored'),
    cancelled: count('cancelled'),
  }
}

function countersOf({ episodes }: Run) {
  const { waiting, active, succeeded, failed, limited, errored, cancelled } = episodes
  return { open: waiting + active, succeeded, failed, limited, errored, cancelled }
}

/** A command of a sequence; every one can come at any time. */
function command(name: string, act: (life: Life) => Promise<unknown>, mayEnd: boolean) {
  return {
    check: () => true,
    async run(_model: object, life: Life): Promise<void> {
      await act(life)
      await life.look(mayEnd)
    },
    toString: () => name,
  }
}

const actions = (['pause', 'resume', 'extend', 'cancel', 'retry'] as const).map((action) =>
  fc.constant(command(action, (life) => life.ask(action), false)),
)

/** What can happen between the death of a process and its burial. */
const meanwhiles = fc.constantFrom(
  { name: 'nothing', act: async () => undefined },
  { name: 'play', act: (life: Life) => life.play(3, 5) },
  { name: 'playOut', act: (life: Life) => life.playOut() },
  ...(['pause', 'resume', 'extend', 'cancel', 'retry'] as const).map((action) => ({
    name: action,
    act: (life: Life) => life.ask(action),
  })),
)

const playOut = fc.constant(command('playOut', (life) => life.playOut(), true))

/** Often enough a run comes to its end and is played on, or again: most else is refused then, or changes nothing. */
const commands = fc.commands(
  [
    ...actions,
    fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 8 }))
      .map(([max, calls]) => command(`play(${max}, ${calls})`, (life) => life.play(max, calls), true)),
    playOut,
    playOut,
    fc.constant(command('extend', (life) => life.ask('extend'), false)),
    fc
      .tuple(fc.integer({ min: 1, max: 35 }), fc.boolean(), meanwhiles)
      .map(([writes, isWritten, { name, act }]) =>
        command(
          `kill(${writes}, ${isWritten}, ${name})`,
          (life) => life.kill(writes, isWritten, () => act(life)),
          true,
        ),
      ),
    fc
      .nat({ max: tasks })
      .map((index) => command(`duplicate(${index})`, (life) => life.duplicate(index), false)),
    fc.constant(command('sweep', (life) => life.sweep(), false)),
    fc.boolean().map((broken) =>
      command(
        broken ? 'break' : 'mend',
        async (life) => {
          life.broken = broken
        },
        false,
      ),
    ),
  ],
  { maxCommands: 14 },
)

test(
  'whatever is asked of a run in whatever order, no result vanishes, the counters are right, money only grows, and it can end',
  async () => {
    const world = await openTestWorld()
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const life = new Life(world)
        await life.begin()
        try {
          await fc.asyncModelRun(() => ({ model: {}, real: life }), sequence)
          await life.finish()
        } finally {
          // What a sequence left that failed is not for the next.
          await life.ask('cancel')
        }
      }),
      { numRuns: sequences, interruptAfterTimeLimit: sequences * 3000, markInterruptAsFailure: true },
    )
  },
  sequences * 4000,
)
