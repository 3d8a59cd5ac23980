import type { PureCore, PureEnvironment } from '../environment.ts'
import { canonicalForm } from '../planning/canonical-form.ts'
import type { Domain } from '../planning/parse-domain.ts'
import type { Problem } from '../planning/parse-problem.ts'
import { createPlanningTask } from '../planning/planning-task.ts'
import { createAgentboardCore, mannerOf } from './agentboard/agentboard-core.ts'
import { createCore, type PddlState } from './core.ts'
import { languageOf } from './language.ts'
import { defaultPddlOptions, type PddlOptions } from './pddl-options.ts'
import type { PddlProblems } from './pddl-problems.ts'
import { createRobotProblems } from './robot-problems.ts'

export const pddlMaxSteps = 30

/**
 * Planning problems in PDDL, solved step by step, as in AgentBoard (Ma et al., 2024) and LearnAct (Zhao et al.,
 * 2024). Actions are written in words or in PDDL, or in AgentBoard's own words.
 */
export function createPddl(
  problems: PddlProblems,
  options: PddlOptions = defaultPddlOptions,
): PureEnvironment<PddlState> {
  const coreOf = (id: string, domain: Domain, problem: Problem) => {
    const task = createPlanningTask(domain, problem, { distinctArguments: true })
    return options.language === 'agentboard'
      ? createAgentboardCore(id, task, mannerOf(domain, options.observations))
      : createCore(id, task, languageOf(domain))
  }
  /** Searches open a task repeatedly. A weak reference shares the core while any search holds it. */
  const opened = new Map<string, WeakRef<PureCore<PddlState>>>()
  return {
    id: 'pddl',
    description: problems.description,
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: pddlMaxSteps,
    tasks: () => problems.tasks(),
    ...(problems.generators && { generators: problems.generators }),
    formOf: async (task) => canonicalForm((await problems.load(task)).problem),
    describe: (task) => problems.describe(task, options),
    async open(task) {
      const known = opened.get(task)?.deref()
      if (known !== undefined) return known
      const { domain, problem } = await problems.load(task)
      const core = coreOf(task, domain, problem)
      opened.set(task, new WeakRef(core))
      return core
    },
  }
}

/**
 * The four robot-planning domains, with our own problems in the sizes of the benchmark's. A task with `min_steps`
 * above {@link pddlMaxSteps} cannot be solved within an episode, like a few of the benchmark's.
 * @example
 * const core = await pddl.open('blockworld-000')
 * const { state } = core.reset('blockworld-000', 0)
 * core.step(state, 'check valid actions')
 */
export const pddl = createPddl(createRobotProblems(pddlMaxSteps))
