import { definitions } from '../shared/environments/environments.ts'
import { openEnvironments } from '../shared/environments/open-environments.ts'

/** What a bench needs to play environments inside its own process. */
export const benchEnvironments = {
  environments: openEnvironments(definitions, null),
  sessions: () => {
    throw new Error('Benches have no hosts.')
  },
  worker: 'bench',
}
