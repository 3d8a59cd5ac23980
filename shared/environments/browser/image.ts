import type { ImageFacts } from '../image-facts.ts'

export const browserImage: ImageFacts = {
  id: 'browser',
  folder: 'containers/browser',
  label: 'browsers',
  kinds: ['webarena', 'browsergym'],
  shows: 'pages',
  needs: ['chromium'],
  slots: 16,
  size: { cpu: 2048, memory: 4096, scratch: ['/tmp'] },
}
