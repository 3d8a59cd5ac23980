import { desktopImage } from '../desktop/image.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { osworldGuide } from './guide.ts'
import { type OsworldOptions, osworldOptions } from './options.ts'
import { osworldPackFormat } from './pack-format.ts'

const id = 'osworld'

/**
 * Seconds that a session on a desktop may take to start or to step. A start waits for programs, and the last step is
 * scored.
 */
export const desktopsAnswerWithin = 280

/**
 * OSWorld (Xie et al. 2024): tasks on a desktop computer, played on hosts of the image `desktop`, and scored by
 * OSWorld's own metrics. A container lacks some programs of OSWorld's virtual machine. Playable tasks are the split
 * `test`. The others are the split `lacking`, each with its missing requirements.
 */
export const osworldDefinition: EnvironmentDefinition = {
  id,
  options: osworldOptions,
  data: { origin: 'original', about: 'the tasks of OSWorld' },
  pack: osworldPackFormat,
  packages: async (variables) => (await import('../desktop/python-packages.ts')).desktopPythons(variables),
  image: desktopImage,
  async open(pack, given) {
    const options = osworldOptions.parse(given ?? {})
    if (pack === null) return describeOsworld([], options)
    const [{ readOsworldTasks }, { lacksOf }] = await Promise.all([
      import('./read-pack.ts'),
      import('./task-needs.ts'),
    ])
    const tasks = await readOsworldTasks(pack, ({ needs, available }) => lacksOf(needs, new Set(available)))
    return describeOsworld(tasks, options)
  },
}

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
    closing_action: 'DONE',
    replays: 'matched',
    // Enough sessions for a search of the published size to need its minimum of actions. Each mostly waits for
    // actions.
    sessions_per_episode: 16,
    tasks: () => tasks,
    describe: () => guide,
    host: { kind: 'image', image: desktopImage.id, answers_within: desktopsAnswerWithin },
  }
}
