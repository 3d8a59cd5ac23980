import type { DataPack } from '../data-pack.ts'
import type { EnvironmentTask } from '../environment.ts'
import { parseDomain } from './engine/parse-domain.ts'
import { parseProblem } from './engine/parse-problem.ts'
import { plainGuide } from './guide.ts'
import { languageOf } from './language.ts'
import { indexFile, type PackIndex, problemFile } from './pack-format.ts'
import { type PddlProblems, unknownTask } from './pddl-problems.ts'

/** The user's own domains and problems, from a pack. */
export async function openPackedProblems(pack: Pick<DataPack, 'name' | 'read'>): Promise<PddlProblems> {
  const readText = async (path: string) => new TextDecoder().decode(await pack.read(path))
  const index: PackIndex = JSON.parse(await readText(indexFile))
  const domainOf = new Map(index.tasks.map(({ id, domain }) => [id, domain]))
  const tasks = index.tasks.map(({ domain: _domain, ...task }): EnvironmentTask => task)
  const parse = (task: string) => {
    const path = domainOf.get(task)
    const text = path && index.domains[path]
    if (!text) throw unknownTask(task)
    return parseDomain(text, path)
  }
  return {
    description: `Planning problems in PDDL, solved step by step: ${pack.name}.`,
    tasks: () => tasks,
    describe({ id }) {
      const domain = parse(id)
      return plainGuide(domain, languageOf(domain))
    },
    async load(task) {
      const domain = parse(task)
      return { domain, problem: parseProblem(await readText(problemFile(task)), problemFile(task)) }
    },
  }
}
