import type { ImageFacts } from '../image-facts.ts'

/** Its Python packages are those of its registration, and listing its tasks checks them. */
export const browsergymImage: ImageFacts = {
  id: 'browsergym',
  folder: 'containers/browsergym',
  shows: 'pages',
  needs: ['chromium'],
  slots: 4,
}
