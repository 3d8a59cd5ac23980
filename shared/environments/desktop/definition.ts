import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { describeOsworld } from '../osworld/definition.ts'
import { osworldOptions } from '../osworld/options.ts'
import { desktopImage } from './image.ts'

const id = 'desktop'
let made: readonly EnvironmentTask[] | undefined

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
 * Practice tasks on the same desktops as OSWorld's, scored by the same metrics (Xie et al. 2024). They need no data
 * pack and no download.
 */
export const desktopDefinition: EnvironmentDefinition = {
  id,
  options: osworldOptions,
  data: { origin: 'generated', about: 'tasks made for Espalier, not those of OSWorld' },
  packages: async (variables) => (await import('./python-packages.ts')).desktopPythons(variables),
  image: desktopImage,
  simulated: async () => (await import('./simulated/desktop-policy.ts')).desktopPolicy,
  open: (_pack, options) => openDesktopTasks(options),
}
