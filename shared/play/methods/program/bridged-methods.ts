import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { Bridge } from '../../../environments/in-process/bridge.ts'
import { callerSchema } from '../../../environments/in-process/bridge-file.ts'
import { checkMethod } from '../added/check-method.ts'
import { type AddedMethod, describeModule, type LaterMethods } from '../methods.ts'
import { toDeclaration } from './load-method-program.ts'
import { programMethodSchema } from './method-messages.ts'
import { playFunction } from './play-function.ts'

const methodFileSchema = callerSchema.extend({
  digest: z.hex(),
  facts: programMethodSchema,
})

type MethodFile = z.infer<typeof methodFileSchema>

/** The methods that processes on this machine play from code of their own, each with its first definition. */
export function bridgedMethods(folder: string): LaterMethods {
  const place = join(folder, 'in-process', 'methods')
  const known = new Map<string, AddedMethod>()
  function find(id: string): AddedMethod | null {
    const method = known.get(id) ?? read(place, id)
    if (method !== null && !('unavailable' in method.method)) known.set(id, method)
    return method
  }
  return {
    find,
    list: () => idsIn(place).flatMap((id) => find(id) ?? []),
  }
}

function read(place: string, id: string): AddedMethod | null {
  const content = readContent(place, id)
  if (content === null) return null
  const parsed = methodFileSchema.safeParse(content)
  const { caller = 'unknown', digest = 'none' } = parsed.data ?? {}
  const module = { file: `in the process of its caller, ${caller}: not portable`, digest }
  try {
    if (parsed.success) return { id, module, ...toMethod(place, parsed.data) }
    const [issue] = parsed.error.issues
    throw new EspalierError('invalid_request', `${issue?.path.join('.')}: ${issue?.message}.`)
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return {
      id,
      module,
      method: { unavailable: `${describeModule(id, module)} cannot be played: ${error.message}` },
    }
  }
}

function toMethod(place: string, { id, caller, facts }: MethodFile): Pick<AddedMethod, 'method' | 'reach'> {
  const bridge = new Bridge({ id, param: 'method.id' }, async () => {
    return methodFileSchema.safeParse(readContent(place, id)).data ?? null
  })
  const declaration = toDeclaration({ ...facts, id }, async (scope, parameters) => {
    const link = await scope.compute(() => bridge.open())
    const close = () => link.close()
    scope.ended.addEventListener('abort', close, { once: true })
    await playFunction(link, scope, { method: facts.id, parameters, takesDetails: true })
    scope.ended.removeEventListener('abort', close)
    close()
  })
  return { method: checkMethod(declaration, caller), reach: async () => void (await bridge.reach()) }
}

function readContent(place: string, id: string): unknown {
  if (!/^[a-z0-9-]+$/.test(id)) return null
  try {
    return JSON.parse(readFileSync(join(place, `${id}.json`), 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null
    throw error
  }
}

function idsIn(place: string): string[] {
  try {
    const names = readdirSync(place).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    return names.map((name) => name.slice(0, -'.json'.length)).toSorted()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
