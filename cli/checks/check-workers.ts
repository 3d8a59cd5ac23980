import { availableParallelism } from 'node:os'
import { memoryOfWorker } from '../../local/workers/divide.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { type Check, ok, warn } from './check.ts'

export function plannedWorkers(): Check {
  const count = availableParallelism()
  const each = `${inGibibytes(memoryOfWorker(count))} of memory each`
  return ok(
    'workers',
    `no service runs here; one would start ${count}, one for each core, with up to ${each}`,
  )
}

export function checkWorkers({ workers, world }: JsonObject, isHere: boolean): Check[] {
  if (world !== 'local') return []
  if (workers === undefined) return [ok('workers', 'none: the service plays in its own process')]
  const { wanted, playing } = workers as { wanted: number; playing: number }
  const memory = isHere ? `, with up to ${inGibibytes(memoryOfWorker(wanted))} of memory each` : ''
  if (playing >= wanted) return [ok('workers', `${playing} play${memory}`)]
  return [
    warn(
      'workers',
      `${playing} of ${wanted} play${memory}`,
      'The others are being started. If it stays so, see what the service prints.',
    ),
  ]
}

function inGibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
