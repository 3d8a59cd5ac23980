import { assumptions } from './assumptions.ts'
import type { CountedDataset } from './count-dataset.ts'
import { nothing, type Operations, sum, times } from './operations.ts'

const { builder, logs } = assumptions
const wholes = 2

export function operationsOfDataset({ once, episode }: CountedDataset, episodes: number): Operations {
  const pieces = wholes + Math.ceil(episodes / builder.part)
  const seconds = (episodes * builder.episode) / builder.atOnce + pieces * builder.overhead
  return {
    ...sum(once, times(episode, episodes), {
      lambda_requests: pieces,
      lambda_gb_seconds: (seconds * builder.memory) / 1024,
      log_bytes: pieces * logs.invocation,
      traces: pieces,
    }),
    queue_requests: 3 * pieces,
    s3_bytes: nothing.s3_bytes,
    ledger_bytes: nothing.ledger_bytes,
  }
}
