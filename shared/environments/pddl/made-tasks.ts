import { EspalierError } from '../../core/contracts/errors.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import type { EnvironmentTask } from '../environment.ts'
import { formulaText } from '../planning/formula.ts'
import type { Problem } from '../planning/parse-problem.ts'
import { goalText } from './goal-text.ts'
import type { RobotDomain } from './robot-domain.ts'

export interface MadeTask {
  readonly task: EnvironmentTask
  readonly problem: Problem
}

const mostFruitless = 10_000

/**
 * Generates the tasks of a domain, the same in every process. No two have the same goal, nor the example's, so no
 * goal is in two splits. The first ones are the test tasks. Sizes cycle, so any prefix of a split is a fair mix.
 * @throws EspalierError `invalid_request` if the domain has too few tasks with different goals, with their number
 */
export function makeTasks(domain: RobotDomain, mostSteps: number): MadeTask[] {
  const { test, train } = domain.tasks
  const goals = new Set([sortedGoal(domain.example.problem)])
  const made: MadeTask[] = []
  for (let attempt = 0, last = 0; made.length < test + train; attempt += 1) {
    const number = made.length
    if (attempt - last > mostFruitless) throw tooFewGoals(domain, number)
    const found = domain.generate(seededRandom('pddl', domain.name, number, attempt), number)
    if (found === null) continue
    const { problem, minSteps } = found
    const goal = sortedGoal(problem)
    if (goals.has(goal)) continue
    goals.add(goal)
    last = attempt
    const text = goalText(problem.goal, domain.language)
    const note =
      minSteps > mostSteps
        ? ` Takes ${minSteps} steps at least, more than the ${mostSteps} of an episode.`
        : ''
    made.push({
      task: {
        id: `${domain.name}-${String(number).padStart(3, '0')}`,
        split: number < test ? 'test' : 'train',
        type: domain.name,
        description: `${domain.name}: ${text}.${note}`,
        min_steps: minSteps,
      },
      problem,
    })
  }
  return made
}

function tooFewGoals({ name, tasks: { test, train } }: RobotDomain, found: number): EspalierError {
  return new EspalierError(
    'invalid_request',
    `${name} makes ${found} tasks with different goals, and not the ${test + train} that it is to have. Ask for ${found} at most, or widen its sizes.`,
  )
}

function sortedGoal({ goal }: Problem): string {
  const parts = goal.kind === 'and' ? goal.parts : [goal]
  return parts.map(formulaText).sort().join()
}
