import type { ImageFacts } from '../image-facts.ts'

/** Each session is a process of about 150 MB. */
export const textworldImage: ImageFacts = {
  id: 'alfworld-textworld',
  folder: 'shared/environments/alfworld-textworld/host',
  needs: [{ python: ['fast_downward', 'textworld', 'alfworld'] }],
  slots: 16,
  size: { cpu: 1024, memory: 4096, scratch: ['/tmp'] },
}
