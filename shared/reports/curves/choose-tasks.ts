import { seededRandom } from '../../random/seeded-random.ts'
import { shuffled } from '../../random/shuffled.ts'

/** The scored episodes of one run, by their task. */
export type ScoredEpisodes = ReadonlyMap<string, readonly string[]>

/**
 * The tasks whose journals are read: those that every run has scored, or, where these are too many episodes, a seeded
 * sample of them. Tasks are drawn, not episodes, so that the runs stay on the same ones.
 *
 * @param most how many episodes of a run may be read; one task is chosen however many it has
 */
export function chooseTasks(
  runs: readonly ScoredEpisodes[],
  most: number,
): { shared: number; chosen: string[] } {
  const [first, ...others] = runs
  const shared = [...(first?.keys() ?? [])].filter((task) => others.every((run) => run.has(task)))
  const chosen: string[] = []
  const taken = runs.map(() => 0)
  // Drawing ends with the first that is too many: going on would prefer tasks with few episodes.
  for (const task of shuffled(shared.toSorted(), seededRandom('curve'))) {
    for (const [index, run] of runs.entries())
      taken[index] = (taken[index] ?? 0) + (run.get(task)?.length ?? 0)
    if (chosen.length > 0 && Math.max(...taken) > most) break
    chosen.push(task)
  }
  return { shared: shared.length, chosen: chosen.toSorted() }
}
