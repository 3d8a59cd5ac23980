import type { RunStatus } from '../../shared/core/contracts/run.ts'

export interface Followed {
  name: 'run' | 'rollout'
  get(): Promise<{ status: RunStatus }>
  events(query: { after: number; limit: number }): Promise<FollowedEvent[]>
  pageSize: number
}

export interface FollowedEvent {
  sequence: number
  type: string
}

/** A run or a rollout, read before its first page of events: if it has ended here, those are complete. */
export interface Poll {
  status: RunStatus
  snapshot: string
  events: FollowedEvent[]
}

/** Lets the followers of one run share their reads of it: 500 followers cost about as much as one. */
export class SharedPolls {
  readonly #recent = new Map<string, { began: number; poll: Promise<Poll> }>()

  /**
   * @param key of a tenant's run; streams with one key share their polls
   * @param oldest milliseconds since which a poll of another stream may have begun; 0: none is shared
   */
  poll(key: string, followed: Followed, after: number, oldest: number): Promise<Poll> {
    const name = `${key}/${after}`
    const now = performance.now()
    const recent = this.#recent.get(name)
    if (recent !== undefined && now - recent.began < oldest) return recent.poll
    const begun = { began: now, poll: pollOnce(followed, after) }
    this.#recent.set(name, begun)
    const forget = () => {
      if (this.#recent.get(name) === begun) this.#recent.delete(name)
    }
    setTimeout(forget, keptFor).unref()
    return begun.poll
  }
}

const keptFor = 1000

async function pollOnce({ events, get, pageSize }: Followed, after: number): Promise<Poll> {
  const now = await get()
  const { status } = now
  return { status, events: await events({ after, limit: pageSize }), snapshot: JSON.stringify(now) }
}
