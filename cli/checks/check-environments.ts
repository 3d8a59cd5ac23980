import { join } from 'node:path'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { type Check, fail, ok } from './check.ts'

export async function checkAddedEnvironments(folder: string): Promise<Check[]> {
  const path = join(folder, 'environments.json')
  try {
    const added = await loadAddedEnvironments({ path })
    return added.map(({ id }) => ok(`environment ${id}`, 'added by environments.json'))
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return [fail('environments', error.message, `Mend ${path}; no service starts with it.`)]
  }
}
