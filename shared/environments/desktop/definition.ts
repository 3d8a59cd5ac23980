import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { describeOsworld } from '../osworld/definition.ts'
import { osworldOptions } from '../osworld/options.ts'

const id = 'desktop'
let made: readonly EnvironmentTask[] | undefined

/** The environment with its options as a run sets them; its tasks are read when it is first opened. */
export async function openDesktopTasks(given: object = {}): Promise<HostedEnvironment> {
  made ??= (await import('./tasks.ts')).listDesktopTasks()
  return {
    ...describeOsworld(made, osworldOptions.parse(given)),
    id,
    description:
      'Tasks of our own on a desktop: LibreOffice, GIMP, a terminal, files and settings, as OSWorld has them.',
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
