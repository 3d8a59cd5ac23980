import type { ImageFacts } from '../image-facts.ts'

/** The program is started when a run is created: it describes itself. */
export const programImage: ImageFacts = { id: 'program', folder: 'containers/program', needs: [] }
