import { EspalierError } from '../../../core/contracts/errors.ts'
import { importModule } from '../../../environments/added/read-module.ts'
import type { Method } from '../method.ts'
import { builtinMethods } from '../methods.ts'
import { loadMethodProgram } from '../program/load-method-program.ts'
import { checkMethod, seemsMethod } from './check-method.ts'
import { type DigestedModule, digestModule } from './digest-module.ts'

export interface LoadedModule extends DigestedModule {
  methods: readonly Method[]
}

/**
 * Loads the methods that a module exports, under any names, or that a Python file defines. The code runs with all
 * rights of this process, so only its operator names modules. A loaded module stays unchanged until the process ends.
 *
 * @param file an absolute path
 * @param where names it in messages. @default the path
 * @throws EspalierError `invalid_request` if it cannot be loaded, exports no method, or exports an invalid one
 */
export async function loadMethodModule(file: string, where: string = file): Promise<LoadedModule> {
  const { found, ...digested } = await (file.endsWith('.py')
    ? loadMethodProgram(file, where)
    : importMethods(file, where))
  const methods = found.map((value) => checkMethod(value, where))
  const [first] = methods
  if (first === undefined) {
    throw new EspalierError(
      'invalid_request',
      `${where} exports no method. Export an object with id, description, parameters, branches and play(), as examples/greedy.ts does: docs/add-method.md.`,
    )
  }
  for (const { id } of methods) {
    if (builtinMethods.some((known) => known.id === id))
      throw taken(where, id, `"${id}" is a method that comes with Espalier. Give yours another id.`)
    if (methods.filter((other) => other.id === id).length > 1)
      throw taken(where, id, `Two methods are called "${id}".`)
  }
  return { ...digested, methods }
}

async function importMethods(file: string, where: string): Promise<DigestedModule & { found: object[] }> {
  // Digest before the module's code runs, which may take any time.
  const digested = await digestModule(file)
  const exported = await importModule(file, where)
  return { ...digested, found: [...new Set(Object.values(exported))].filter(seemsMethod) }
}

function taken(where: string, id: string, message: string): EspalierError {
  return new EspalierError('invalid_request', `${where}: ${message}`, { param: `${id}.id` })
}
