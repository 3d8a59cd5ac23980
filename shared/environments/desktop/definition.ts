import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { desktopsAnswerWithin } from '../osworld/definition.ts'
import { osworldGuide } from '../osworld/guide.ts'
import { osworldOptions } from '../osworld/options.ts'

const id = 'desktop'
let made: readonly EnvironmentTask[] | undefined

/** The environment with its options as a run sets them; its tasks are read when it is first opened. */
export async function openDesktopTasks(given: object = {}): Promise<HostedEnvironment> {
  made ??= (await import('./tasks.ts')).listDesktopTasks()
  const tasks = made
  const options = osworldOptions.parse(given)
  const guide = osworldGuide(options)
  return {
    id,
    description:
      'Tasks of our own on a desktop: LibreOffice, GIMP, a terminal, files and settings, as OSWorld has them.',
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

/**
 * Tasks to practise on, on the same desktops as OSWorld's and scored by the same metrics (Xie et al. 2024): nothing is to be added or
 * downloaded.
 */
export const desktopDefinition: EnvironmentDefinition = {
  id,
  options: osworldOptions,
  data: { origin: 'generated', about: 'tasks made for Espalier, not those of OSWorld' },
  open: (_pack, options) => openDesktopTasks(options),
}
