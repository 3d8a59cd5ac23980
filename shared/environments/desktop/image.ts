import type { ImageFacts } from '../image-facts.ts'

/** A host holds one desktop: Fargate has no namespaces to keep several apart. */
export const desktopImage: ImageFacts = {
  id: 'desktop',
  folder: 'shared/environments/desktop/host',
  label: 'desktops',
  needs: ['desktop programs', 'desktop scoring'],
  slots: 1,
  size: { cpu: 2048, memory: 4096, scratch: ['/tmp', '/home/user'] },
}
