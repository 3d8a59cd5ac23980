import { definitions } from '../shared/environments/environments.ts'
import { openEnvironments } from '../shared/environments/open-environments.ts'

export const benchEnvironments = {
  environments: openEnvironments(definitions, null),
  sessions: () => {
    throw new Error('Benches have no hosts.')
  },
  worker: 'bench',
}
