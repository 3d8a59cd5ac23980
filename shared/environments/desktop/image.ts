import type { ImageFacts } from '../image-facts.ts'
import { desktopsHere } from './desktops-here.ts'

const scoring = async () => (await import('./missing-programs.ts')).desktopScoring

/** A host holds one desktop: Fargate has no namespaces to keep several apart. */
export const desktopImage: ImageFacts = {
  id: 'desktop',
  folder: 'shared/environments/desktop/host',
  label: 'desktops',
  shows: 'computer',
  needs: [async () => (await import('./missing-programs.ts')).desktopPrograms, scoring],
  needsOnMachines: [scoring],
  lists: [
    { list: 'scoring/requirements.txt', isAlone: false },
    { list: 'scoring/desktop-env.txt', isAlone: true },
    { list: 'session/requirements.txt', isAlone: true },
  ],
  slots: 1,
  size: { cpu: 2048, memory: 4096, scratch: ['/tmp', '/home/user'] },
  here: () => ({ slots: desktopsHere(), max_hosts: 1 }),
}
