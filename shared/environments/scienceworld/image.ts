import type { ImageFacts } from '../image-facts.ts'

/** Each session is a Java machine. */
export const scienceworldImage: ImageFacts = {
  id: 'scienceworld',
  folder: 'shared/environments/scienceworld/host',
  needs: [{ python: ['scienceworld'] }, 'java'],
  slots: 8,
  size: { cpu: 1024, memory: 4096, scratch: ['/tmp'] },
}
