import type { EnvironmentGuide, EnvironmentTask } from '../environment.ts'
import { findGenerated } from '../generate/task-generator.ts'
import { parseDomain } from '../planning/parse-domain.ts'
import { mannerOf } from './agentboard/agentboard-core.ts'
import { agentboardGuide } from './agentboard/agentboard-guide.ts'
import { barmanSpace } from './generators/barman-space.ts'
import { blockworldSpace } from './generators/blockworld-space.ts'
import { gripperSpace } from './generators/gripper-space.ts'
import { createProblemGenerator, identityOf } from './generators/problem-generator.ts'
import { tyreworldSpace } from './generators/tyreworld-space.ts'
import { robotGuide } from './guide.ts'
import { makeTasks } from './made-tasks.ts'
import { type PddlProblems, unknownTask } from './pddl-problems.ts'
import { robotDomains } from './robot-domains.ts'

export function createRobotProblems(mostSteps: number): PddlProblems {
  const guides = new Map<string, EnvironmentGuide>()
  let made: ReadonlyMap<string, ReturnType<typeof makeTasks>[number]> | undefined
  const all = () => {
    made ??= new Map(
      robotDomains.flatMap((domain) => makeTasks(domain, mostSteps)).map((each) => [each.task.id, each]),
    )
    return made
  }
  const generators = ([2, 1] as const).flatMap((version) => {
    let identities: ReadonlySet<string> | undefined
    const builtin = () => {
      identities ??= new Set([...all().values()].map(({ problem }) => identityOf[version](problem)))
      return identities
    }
    return [gripperSpace, blockworldSpace, tyreworldSpace, barmanSpace].map((space) =>
      createProblemGenerator(space, version, { mostSteps, builtin }),
    )
  })
  const domainOf = (name: string | undefined) => robotDomains.find((domain) => domain.name === name)
  let listed: EnvironmentTask[] | undefined
  return {
    description:
      'Robot planning problems in PDDL, solved step by step: blocks world, gripper, tyre world and barman, or your own domains.',
    tasks() {
      listed ??= ['test', 'train'].flatMap((split) =>
        [...all().values()].map(({ task }) => task).filter((task) => task.split === split),
      )
      return listed
    },
    generators,
    describe({ type, id }, { language, observations }) {
      const domain = domainOf(type)
      if (domain === undefined) throw unknownTask(id)
      const key = `${type} ${language} ${observations}`
      const known = guides.get(key)
      if (known !== undefined) return known
      const parsed = parseDomain(domain.text, domain.name)
      const guide =
        language === 'agentboard'
          ? agentboardGuide(parsed, domain, mannerOf(parsed, observations))
          : robotGuide(domain)
      guides.set(key, guide)
      return guide
    },
    async load(task) {
      const made = all().get(task)
      const found = made ? { task: made.task, content: made.problem } : findGenerated(generators, task)
      const domain = domainOf(found?.task.type)
      if (found === null || domain === undefined) throw unknownTask(task)
      return { domain: parseDomain(domain.text, domain.name), problem: found.content }
    },
  }
}
