import { join } from 'node:path'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { loadAddedMethods } from '../../shared/play/methods/added/load-added-methods.ts'
import { type Check, fail, ok } from './check.ts'

export async function checkAddedMethods(folder: string): Promise<Check[]> {
  const path = join(folder, 'methods.json')
  try {
    const added = await loadAddedMethods({ path })
    return added.map(({ id, method, module }) => {
      const name = `method ${id}`
      return 'unavailable' in method
        ? fail(name, method.unavailable, 'Runs of this method wait until then; others are played.')
        : ok(name, `added by methods.json, from ${module.file}`)
    })
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return [fail('methods', error.message, `Mend ${path}; no service starts with it.`)]
  }
}
