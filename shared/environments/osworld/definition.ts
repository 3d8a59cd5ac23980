import type { DataPack } from '../data-pack.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { osworldGuide } from './guide.ts'
import { type OsworldOptions, osworldOptions } from './options.ts'
import { osworldIndex, osworldIndexSchema, osworldPackFormat } from './pack-format.ts'
import { lacksOf } from './task-needs.ts'

const id = 'osworld'

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
    return describeOsworld(pack === null ? [] : await readTasks(pack), options)
  },
}

async function readTasks(pack: DataPack): Promise<EnvironmentTask[]> {
  const text = new TextDecoder().decode(await pack.read(osworldIndex))
  const index = osworldIndexSchema.parse(JSON.parse(text))
  const all = index.map(({ id: task, domain, description, needs, available }): EnvironmentTask => {
    const lacks = lacksOf(needs, new Set(available))
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
export function describeOsworld(tasks: EnvironmentTask[], options: OsworldOptions): HostedEnvironment {
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
    host: { kind: 'image', image: 'desktop' },
  }
}
