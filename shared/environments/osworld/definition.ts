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
  open: async (pack, options) => openOsworld(pack, osworldOptions.parse(options ?? {})),
}

async function openOsworld(pack: DataPack | null, options: OsworldOptions): Promise<HostedEnvironment> {
  const tasks = pack === null ? [] : await readTasks(pack)
  const guide = osworldGuide(options)
  return {
    id,
    description: `OSWorld's tasks on a desktop, scored by OSWorld's metrics. ${describeTasks(tasks)}`,
    snapshot: 'replay',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: options.max_steps,
    reward_range: [0, 1],
    replays: 'matched',
    tasks: () => tasks,
    describe: () => guide,
    host: { kind: 'image', image: 'desktop' },
  }
}

/** Those that can be played come first. */
async function readTasks(pack: DataPack): Promise<EnvironmentTask[]> {
  const text = new TextDecoder().decode(await pack.read(osworldIndex))
  const index = osworldIndexSchema.parse(JSON.parse(text))
  const all = index.map(({ id: task, domain, description, needs, available }): EnvironmentTask => {
    const lacks = lacksOf(needs, new Set(available))
    const facts = { id: task, type: domain, description }
    return lacks.length === 0 ? { ...facts, split: 'test' } : { ...facts, split: 'lacking', lacks }
  })
  return [...all.filter(isPlayable), ...all.filter((task) => !isPlayable(task))]
}

function isPlayable({ lacks = [] }: EnvironmentTask): boolean {
  return lacks.length === 0
}

function describeTasks(tasks: readonly EnvironmentTask[]): string {
  if (tasks.length === 0) return `None are here yet: espalier data add ${id} FOLDER.`
  return `Here ${tasks.filter(isPlayable).length} of ${tasks.length} can be played, with the files that were added.`
}
