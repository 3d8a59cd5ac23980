import { randomBytes } from 'node:crypto'
import type { World } from '../../world/ports.ts'
import { objectKeys } from '../keys.ts'
import { WorkerLog } from './worker-log.ts'

/** The logs of one worker, one for each run that it plays: so a run is deleted with all that belongs to it. */
export class WorkerLogs {
  readonly #world: Pick<World, 'objects' | 'clock'>
  readonly #groupFor: number
  readonly #logs = new Map<string, WorkerLog>()

  constructor(world: Pick<World, 'objects' | 'clock'>, groupFor: number) {
    this.#world = world
    this.#groupFor = groupFor
  }

  of(run: string): WorkerLog {
    const found = this.#logs.get(run)
    if (found !== undefined && !found.isOver) return found
    for (const [other, log] of this.#logs) if (log.isOver || log.isUnused) this.#logs.delete(other)
    const prefix = objectKeys.log(run, randomBytes(8).toString('hex'))
    const { objects, clock } = this.#world
    const log = new WorkerLog({ objects, clock, prefix, groupFor: this.#groupFor })
    this.#logs.set(run, log)
    return log
  }
}
