import { EspalierError } from '../shared/core/contracts/errors.ts'

export type KindGroup = 'kill' | 'database' | 'worker' | 'storage' | 'queue' | 'clock' | 'endpoint'

export interface Kind {
  id: string
  group: KindGroup
  what: string
  weight: number
  /** Minimum and maximum duration in seconds; absent for instantaneous ones. */
  lasts?: readonly [number, number]
}

export const kinds = [
  { id: 'kill', group: 'kill', weight: 12, what: 'SIGKILL of the whole service at a random moment' },
  {
    id: 'kill-start',
    group: 'kill',
    weight: 4,
    what: 'SIGKILL while it starts, and within 300 ms of its first answer',
  },
  { id: 'kill-close', group: 'kill', weight: 3, what: 'SIGTERM, and SIGKILL while it closes' },
  { id: 'kill-write', group: 'kill', weight: 6, what: 'a process kills itself right behind a commit' },
  { id: 'restart', group: 'kill', weight: 2, what: 'SIGTERM, and a new start once it has closed' },
  { id: 'kill-worker', group: 'worker', weight: 10, what: 'SIGKILL of one worker process' },
  {
    id: 'stall-worker',
    group: 'worker',
    weight: 2,
    what: 'SIGSTOP of a worker process for 12 s',
    lasts: [12, 12],
  },
  { id: 'kill-host', group: 'worker', weight: 4, what: 'SIGKILL of an environment host' },
  { id: 'kill-trainer', group: 'worker', weight: 4, what: 'SIGKILL of a trainer' },
  { id: 'kill-command', group: 'worker', weight: 2, what: 'SIGKILL of the command that sweeps' },
  { id: 'storage', group: 'storage', weight: 3, what: 'writes fail, a share of them', lasts: [0.5, 2] },
  { id: 'disk-full', group: 'storage', weight: 2, what: 'no write that needs room gets it', lasts: [0.5, 3] },
  { id: 'duplicates', group: 'queue', weight: 3, what: 'queue messages are delivered twice', lasts: [2, 6] },
  { id: 'reorder', group: 'queue', weight: 3, what: 'queue messages change their order', lasts: [2, 6] },
  {
    id: 'clock',
    group: 'clock',
    weight: 4,
    what: 'the clock jumps, up to an hour back or forth',
    lasts: [1, 8],
  },
  { id: 'limit', group: 'endpoint', weight: 2, what: '429 with Retry-After', lasts: [0.5, 2] },
  { id: 'error', group: 'endpoint', weight: 2, what: '500, 502, 503 and 529', lasts: [0.5, 2] },
  {
    id: 'hang-up',
    group: 'endpoint',
    weight: 2,
    what: 'the connection ends in the middle of an answer',
    lasts: [0.5, 2],
  },
  {
    id: 'garbage',
    group: 'endpoint',
    weight: 2,
    what: '200 with pages, half of a JSON, no choices',
    lasts: [0.5, 2],
  },
  { id: 'slow', group: 'endpoint', weight: 2, what: 'answers take 2 to 5 s', lasts: [1, 4] },
  { id: 'refuse', group: 'endpoint', weight: 1, what: 'no connection is taken', lasts: [0.5, 3] },
  { id: 'cut', group: 'database', weight: 4, what: 'the database ends all connections' },
  { id: 'crash', group: 'database', weight: 2, what: 'the database crashes and starts again' },
] as const satisfies readonly Kind[]

export type KindId = (typeof kinds)[number]['id']

/**
 * Resolves names of kinds or groups to kinds.
 * @throws EspalierError `invalid_request` for an unknown name
 */
export function chooseKinds(names: readonly string[]): KindId[] {
  const unknown = names.filter((name) => !kinds.some(({ id, group }) => id === name || group === name))
  if (unknown.length > 0) {
    const known = [...new Set(kinds.flatMap(({ id, group }) => [group, id]))].join(', ')
    throw new EspalierError(
      'invalid_request',
      `There is no disturbance ${unknown.join(', ')}. Choose from: ${known}.`,
      { param: 'only' },
    )
  }
  return kinds
    .filter(({ id, group }) => names.some((name) => name === id || name === group))
    .map(({ id }) => id)
}

export function kindsIn(world: 'local' | 'postgres', chosen = kinds.map(({ id }): KindId => id)): KindId[] {
  return chosen.filter((id) => kindOf(id).group !== 'database' || world === 'postgres')
}

export function kindOf(id: KindId): Kind {
  return kinds.find((kind) => kind.id === id) as Kind
}
