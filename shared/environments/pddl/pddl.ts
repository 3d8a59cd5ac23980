import type { PureCore, PureEnvironment } from '../environment.ts'
import { createCore, type PddlState } from './core.ts'
import { createPlanningTask } from './engine/planning-task.ts'
import { languageOf } from './language.ts'
import type { PddlProblems } from './pddl-problems.ts'
import { createRobotProblems } from './robot-problems.ts'

/** The steps of an episode, here and in AgentBoard. */
export const defaultMaxSteps = 30

/**
 * Planning problems in PDDL to be solved step by step, as in AgentBoard (Ma et al., 2024) and LearnAct (Zhao et al.,
 * 2024). Actions are written in words or in PDDL.
 */
export function createPddl(problems: PddlProblems): PureEnvironment<PddlState> {
  /** Searches open a task often, one after the other; what they open is kept as long as they keep it. */
  const opened = new Map<string, WeakRef<PureCore<PddlState>>>()
  return {
    id: 'pddl',
    description: problems.description,
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: defaultMaxSteps,
    tasks: () => problems.tasks(),
    describe: (task) => problems.describe(task),
    async open(task) {
      const known = opened.get(task)?.deref()
      if (known !== undefined) return known
      const { domain, problem } = await problems.load(task)
      const core = createCore(
        task,
        createPlanningTask(domain, problem, { distinctArguments: true }),
        languageOf(domain),
      )
      opened.set(task, new WeakRef(core))
      return core
    },
  }
}

/**
 * The four robot-planning domains, with problems made up for Espalier in the sizes of the benchmark's. Tasks whose
 * `min_steps` is above {@link defaultMaxSteps} cannot be solved within an episode, as a few of the benchmark's cannot.
 *
 * @example
 * const core = await pddl.open('blockworld-000')
 * const { state } = core.reset('blockworld-000', 0)
 * core.step(state, 'check valid actions')
 */
export const pddl = createPddl(createRobotProblems(defaultMaxSteps))
