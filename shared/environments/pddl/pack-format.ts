import type { PackFormat } from '../data-pack.ts'
import type { EnvironmentTask } from '../environment.ts'

export interface PackIndex {
  domains: Record<string, string>
  tasks: (EnvironmentTask & { domain: string })[]
}

export const indexFile = 'index.json'

export interface PackedProblem {
  domain_file: string
  domain: string
  problem: string
}

export function problemFile(task: string): string {
  return `problems/${task}.json`
}

export const packContent =
  'a folder of .pddl files: domains and their problems, such as domain.pddl with problems beside it or below it, or domains/<name>.pddl with <name>/*.pddl; problems below a folder train, dev or test are that split, others test; optionally AgentBoard’s label file, a .jsonl file with a level for each of its problems'

export const pddlPackFormat: PackFormat = {
  description: packContent,
  data: { origin: 'own', about: 'PDDL domains and problems that were added as a pack' },
  downloads: [],
  async *collect(source) {
    yield* (await import('./collect-pack.ts')).collectPack(source)
  },
  filesOf: (task) => [problemFile(task)],
}
