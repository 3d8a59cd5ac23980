import type { PackFormat } from '../data-pack.ts'
import type { EnvironmentTask } from '../environment.ts'

/** What a pack holds beside the problems: all domains, so that a task can be described without its own file. */
export interface PackIndex {
  /** Domains' texts by the path that they had. */
  domains: Record<string, string>
  tasks: (EnvironmentTask & { domain: string })[]
}

export const indexFile = 'index.json'

/** A problem with its domain, so that a host needs nothing else to play it, however many tasks there are. */
export interface PackedProblem {
  /** The path that the domain had. */
  domain_file: string
  domain: string
  problem: string
}

export function problemFile(task: string): string {
  return `problems/${task}.json`
}

/** What the folder has to hold that a pack is made from. */
export const packContent =
  'a folder of .pddl files: domains and their problems, such as domain.pddl with problems beside it or below it, or domains/<name>.pddl with <name>/*.pddl; problems below a folder train, dev or test are that split, others test'

/** Packs of PDDL domains and problems. */
export const pddlPackFormat: PackFormat = {
  description: packContent,
  data: { origin: 'own', about: 'PDDL domains and problems that were added as a pack' },
  downloads: [],
  async *collect(source) {
    yield* (await import('./collect-pack.ts')).collectPack(source)
  },
  filesOf: (task) => [problemFile(task)],
}
