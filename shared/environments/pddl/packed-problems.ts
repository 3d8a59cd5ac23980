import type { DataPack } from '../data-pack.ts'
import type { EnvironmentTask } from '../environment.ts'
import { parseDomain } from '../planning/parse-domain.ts'
import { parseProblem } from '../planning/parse-problem.ts'
import { mannerOf } from './agentboard/agentboard-core.ts'
import { agentboardGuide } from './agentboard/agentboard-guide.ts'
import { plainGuide } from './guide.ts'
import { languageOf } from './language.ts'
import { indexFile, type PackedProblem, type PackIndex, problemFile } from './pack-format.ts'
import { type PddlProblems, unknownTask } from './pddl-problems.ts'
import { robotDomainOf } from './robot-domains.ts'

/**
 * The user's own domains and problems, from a pack. A pack on a host may hold one problem and no index. Its task list
 * is then empty, and the problem is still playable.
 */
export async function openPackedProblems(
  pack: Pick<DataPack, 'name' | 'files' | 'read'>,
): Promise<PddlProblems> {
  const files = new Set(pack.files)
  const readJson = async (path: string) => JSON.parse(new TextDecoder().decode(await pack.read(path)))
  const index: PackIndex = files.has(indexFile) ? await readJson(indexFile) : { domains: {}, tasks: [] }
  const domainOf = new Map(index.tasks.map(({ id, domain }) => [id, domain]))
  const tasks = index.tasks.map(({ domain: _domain, ...task }): EnvironmentTask => task)
  return {
    description: `Planning problems in PDDL, solved step by step: ${pack.name}.`,
    tasks: () => tasks,
    describe({ id }, { language, observations }) {
      const path = domainOf.get(id)
      const text = path && index.domains[path]
      if (!text) throw unknownTask(id)
      const domain = parseDomain(text, path)
      return language === 'agentboard'
        ? agentboardGuide(domain, robotDomainOf(domain), mannerOf(domain, observations))
        : plainGuide(domain, languageOf(domain))
    },
    async load(task) {
      const path = problemFile(task)
      if (!files.has(path)) throw unknownTask(task)
      const { domain_file, domain, problem }: PackedProblem = await readJson(path)
      return { domain: parseDomain(domain, domain_file), problem: parseProblem(problem, path) }
    },
  }
}
