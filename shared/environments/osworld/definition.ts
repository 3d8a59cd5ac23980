import type { DataPack } from '../data-pack.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { osworldGuide } from './guide.ts'
import { type OsworldOptions, osworldOptions } from './options.ts'
import { type ListedOsworldTask, osworldIndex, osworldIndexSchema, osworldPackFormat } from './pack-format.ts'
import { lacksOf } from './task-needs.ts'

const id = 'osworld'

/** Seconds that a session on a desktop may take to start, and a step: programs are waited for, and the last step is scored. */
export const desktopsAnswerWithin = 280

/**
 * OSWorld (Xie et al. 2024): tasks on a desktop computer, played on hosts of the image `desktop`, and scored by OSWorld's own metrics. A
 * container has not all that OSWorld's virtual machine has: the tasks that can be played are the split `test`, and the others are the
 * split `lacking`, each with what it lacks.
 */
export const osworldDefinition: EnvironmentDefinition = {
  id,
  options: osworldOptions,
  data: { origin: 'original', about: 'the tasks of OSWorld' },
  pack: osworldPackFormat,
  async open(pack, given) {
    const options = osworldOptions.parse(given ?? {})
    const lacks = ({ needs, available }: ListedOsworldTask) => lacksOf(needs, new Set(available))
    return describeOsworld(pack === null ? [] : await readOsworldTasks(pack, lacks), options)
  },
}

/** The tasks of a pack; those that lack anything come last, in a split of their own. */
export async function readOsworldTasks(
  pack: DataPack,
  lacksOfTask: (task: ListedOsworldTask) => string[],
): Promise<EnvironmentTask[]> {
  const text = new TextDecoder().decode(await pack.read(osworldIndex))
  const index = osworldIndexSchema.parse(JSON.parse(text))
  const all = index.map((listed): EnvironmentTask => {
    const { id: task, domain, description } = listed
    const lacks = lacksOfTask(listed)
    return {
      id: task,
      split: lacks.length === 0 ? 'test' : 'lacking',
      type: domain,
      description,
      ...(lacks.length > 0 && { lacks }),
    }
  })
  return [...all.filter(({ split }) => split === 'test'), ...all.filter(({ split }) => split !== 'test')]
}

/** The environment over these tasks; a host, which is sent each task, has none of its own. */
export function describeOsworld(
  tasks: readonly EnvironmentTask[],
  options: OsworldOptions,
): HostedEnvironment {
  const playable = tasks.filter(({ split }) => split === 'test').length
  const guide = osworldGuide(options)
  return {
    id,
    description:
      tasks.length === 0
        ? "OSWorld's tasks on a desktop, which are added once: espalier data add osworld FOLDER."
        : `OSWorld's tasks on a desktop that a container can play: ${playable} of ${tasks.length} with the files that were added.`,
    snapshot: 'replay',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: options.max_steps,
    reward_range: [0, 1],
    replays: 'matched',
    // Each is a desktop of its own, with the memory of one.
    sessions_per_episode: 3,
    tasks: () => tasks,
    describe: () => guide,
    host: { kind: 'image', image: 'desktop', answers_within: desktopsAnswerWithin },
  }
}
