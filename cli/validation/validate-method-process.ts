import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { simulatedEndpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { askPool, endWithParent, serveCalls } from '../../shared/core/threads/serve-calls.ts'
import type { Objects } from '../../shared/core/world/ports.ts'
import { systemClock } from '../../shared/core/world/system-clock.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { openEnvironments } from '../../shared/environments/open-environments.ts'
import { loadMethodModule } from '../../shared/play/methods/added/load-method-module.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import { checkIn, type EnvironmentLaws } from '../../shared/play/methods/validation/validate-method.ts'
import { modelClock } from '../../shared/play/models/model-clock.ts'
import { createSimulatedModels } from '../../shared/play/simulated/simulated-models.ts'
import type { ValidationRequest } from './validate-methods.ts'

// Checks a method in one environment. An endless loop ends with this process.

endWithParent()
serveCalls(check)

async function check(request: ValidationRequest): Promise<EnvironmentLaws> {
  const { environment, file, folder, method: id, ...how } = request
  const loaded = file === null ? null : await loadMethodModule(file)
  const method = loaded?.methods.find((candidate) => candidate.id === id) ?? openMethods().find(id)
  const module = loaded && { file: file ?? '', digest: loaded.digest, files: loaded.files }
  const added = await loadAddedEnvironments({ path: join(resolve(folder), 'environments.json') })
  const endpoint = simulatedEndpointSchema.parse({ kind: 'simulated', skill: 0.6 })
  return checkIn(
    environment,
    { ...how, method, module },
    {
      environments: openEnvironments([...definitions, ...added], null),
      models: createSimulatedModels('validation', endpoint, modelClock),
      objects: memoryObjects,
      clock: systemClock,
    },
    (law, task) => void askPool({ law, task }),
  )
}

function memoryObjects(): Objects {
  const stored = new Map<string, { body: Uint8Array; etag: string; content_type: string | null }>()
  const infoOf = (key: string, { body, etag }: { body: Uint8Array; etag: string }) => ({
    key,
    size: body.length,
    etag,
  })
  return {
    async put(key, body, { content_type = null, if_match, if_none_match } = {}) {
      const there = stored.get(key)
      if (if_none_match !== undefined && there !== undefined) return { written: false }
      if (if_match !== undefined && there?.etag !== if_match) return { written: false }
      const etag = createHash('sha256').update(body).digest('hex')
      stored.set(key, { body, etag, content_type })
      return { written: true, etag }
    },
    async get(key, range) {
      const there = stored.get(key)
      if (there === undefined) return null
      const body =
        range === undefined
          ? there.body
          : there.body.subarray(range.start, range.end === undefined ? undefined : range.end + 1)
      return { ...infoOf(key, there), body, content_type: there.content_type }
    },
    async head(key) {
      const there = stored.get(key)
      return there === undefined ? null : infoOf(key, there)
    },
    async list(prefix, { after = '', limit = 1000 } = {}) {
      const keys = [...stored.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
      const objects = keys.slice(0, limit).flatMap((key) => {
        const there = stored.get(key)
        return there === undefined ? [] : [infoOf(key, there)]
      })
      return { objects, more: keys.length > limit }
    },
    async delete(key) {
      stored.delete(key)
    },
    sign: () => Promise.reject(new Error('What is in memory has no address.')),
  }
}
