import { z } from 'zod'
import { wrongUsage } from '../command-error.ts'
import type { Connection } from '../connect.ts'
import { latestRun } from '../latest-run.ts'

export const mostListed = 100

export const runArgument = z.string().min(1).max(128).describe('A run: its id, or `latest`.')
export const episodeArgument = z
  .string()
  .min(1)
  .max(128)
  .describe('An episode of the run, such as ep-0000003.')
export const nodeArgument = z.int().nonnegative().max(999_999_999)
export const offsetArgument = z
  .int()
  .nonnegative()
  .default(0)
  .describe('Where in a long answer to go on: the number in the note below the page before.')
export const limitArgument = (usual: number) =>
  z.int().min(1).max(mostListed).default(usual).describe('At most this many.')
export const afterArgument = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Only those after this one: the last id of the page before.')

export async function runOf({ client }: Connection, run: string): Promise<string> {
  if (run !== latestRun) return run
  const [newest] = (await client.runs({ limit: 1 })).data
  if (newest === undefined) throw wrongUsage('There is no run yet, so none is the latest.')
  return newest.id
}

export function moreAfter({ has_more, last_id }: { has_more: boolean; last_id?: string | null }): string[] {
  return has_more ? ['', `[There are more. Go on with "after": "${last_id}".]`] : []
}
