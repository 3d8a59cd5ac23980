import type { EnvironmentTask } from '../../../shared/environments/environment.ts'

const byNumbers = new Intl.Collator('en', { numeric: true })

/** The task kinds of AgentGym's ScienceWorld, in its order. It omits long tasks of biology and mechanics. */
const scienceworldTypes = [
  'boil',
  'melt',
  'freeze',
  'change-the-state-of-matter-of',
  'use-thermometer',
  'measure-melting-point-known-substance',
  'measure-melting-point-unknown-substance',
  'power-component',
  'power-component-renewable-vs-nonrenewable-energy',
  'test-conductivity',
  'test-conductivity-of-unknown-substances',
  'find-living-thing',
  'find-non-living-thing',
  'find-plant',
  'find-animal',
  'chemistry-mix',
  'chemistry-mix-paint-secondary-color',
  'chemistry-mix-paint-tertiary-color',
  'lifespan-longest-lived',
  'lifespan-shortest-lived',
  'lifespan-longest-lived-then-shortest-lived',
  'identify-life-stages-1',
  'identify-life-stages-2',
]

/**
 * The tasks of an environment by AgentGym's `data_idx` (WebShop: `session_id`, ALFWorld: `game`): in the order of
 * their ids, with numbers inside an id compared as numbers. TextCraft's goals are therefore sorted by depth, as on
 * AgentGym's server. Within a depth that server follows its disk's order, here it is the goal's name. WebShop uses
 * the goal's number, as there. ScienceWorld has AgentGym's own order, so that its numbers mean the same games.
 */
export function indexTasks(
  environment: string,
  tasks: readonly EnvironmentTask[],
): readonly EnvironmentTask[] {
  const sorted = tasks.toSorted((one, other) => byNumbers.compare(one.id, other.id))
  if (!environment.startsWith('scienceworld')) return sorted
  const byType = Map.groupBy(sorted, ({ type }) => type)
  return scienceworldTypes.flatMap((type) => byType.get(type) ?? [])
}
