import { expect, test } from 'vitest'
import { idempotencyDays } from '../../shared/core/contracts/idempotency.ts'
import { mostDollars } from '../../shared/core/contracts/limits.ts'
import { listQuerySchema } from '../../shared/core/contracts/list.ts'
import { runRequestSchema, taskSelectionSchema } from '../../shared/core/contracts/run.ts'
import { keptRejections } from '../../shared/core/contracts/trajectory-import.ts'
import { largestRow } from '../../shared/data/trajectories/cut-rows.ts'
import { mostBootstrapTasks } from '../../shared/insight/reports/bootstrap.ts'
import { guestMemory } from '../../shared/play/sandbox/guest-engine.ts'
import { mostCharacters } from '../../shared/play/sandbox/guest-prelude.ts'
import { sandboxLimits } from '../../shared/play/sandbox/program.ts'
import { pageText } from './documents.ts'

const megabyte = 1024 * 1024
const { max_parallel, epochs, max_retries, prompts } = runRequestSchema.shape
const count = (value: number) => value.toLocaleString('en-US')

/** The greatest whole number that a schema takes. */
function most(takes: (value: number) => boolean): number {
  let [low, high] = [1, 2_000_000]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (takes(middle)) low = middle
    else high = middle - 1
  }
  return low
}

const greatest = (schema: { safeParse(value: unknown): { success: boolean } }) =>
  count(most((value) => schema.safeParse(value).success))

test.each([
  ['items of a list', `20, at most ${greatest(listQuerySchema.shape.limit)}`],
  [
    'tasks named one by one in a run',
    count(most((length) => taskSelectionSchema.safeParse({ ids: Array(length).fill('a') }).success)),
  ],
  ['an idempotency key', `255 characters, remembered for ${idempotencyDays} days at least`],
  ['`max_parallel`', `${max_parallel.parse(undefined)}, at most ${greatest(max_parallel)}`],
  ['`epochs`', `${epochs.parse(undefined)}, at most ${greatest(epochs)}`],
  ['`max_retries`', `${max_retries.parse(undefined)}, at most ${greatest(max_retries)}`],
  [
    'a prompt of yours',
    `${count(most((length) => prompts.safeParse({ a: 'x'.repeat(length) }).success))} characters`,
  ],
  ['money in a cap', `$${count(mostDollars)}`],
  ['tasks of a bootstrap, counted for each different interval', count(mostBootstrapTasks)],
  ['code', `${count(sandboxLimits.code)} characters`],
  ['actions', `${sandboxLimits.mostActs}; of a learned action 50`],
  ['memory', `${guestMemory / megabyte} MB`],
  ['lines printed', `100, of ${count(mostCharacters)} characters`],
  ['a row that is imported', `${largestRow / megabyte} MB; a trajectory 2 MB`],
  ['rejections that are kept', `${count(keptRejections)}; all are counted`],
])('the guide says of %s what the code does', (what, limit) => {
  expect(pageText('limits')).toContain(`| ${what} | ${limit} |`)
})
