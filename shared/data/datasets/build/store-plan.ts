import { compress, decompress } from '../../../core/engine/gzip.ts'
import { readObject } from '../../../core/engine/read-object.ts'
import type { Objects } from '../../../core/world/ports.ts'
import type { partKeys } from './part-keys.ts'
import { type Plan, type PlannedTask, planPartSchema, planSchema } from './plan.ts'

type Keys = ReturnType<typeof partKeys>

export function storedPlan(objects: Objects, keys: Keys) {
  return {
    async storePart(part: number, tasks: PlannedTask[]): Promise<void> {
      const body = await compress(JSON.stringify({ tasks }))
      await objects.put(keys.planPart(part), body, { content_type: 'application/gzip' })
    },

    async readPart(part: number): Promise<PlannedTask[]> {
      const text = (await decompress(await readObject(objects, keys.planPart(part)))).toString('utf8')
      return planPartSchema.parse(JSON.parse(text)).tasks
    },

    async storeHead(plan: Plan): Promise<void> {
      await objects.put(keys.plan, Buffer.from(JSON.stringify(plan)), { content_type: 'application/json' })
    },

    async readHead(): Promise<Plan> {
      return planSchema.parse(JSON.parse(Buffer.from(await readObject(objects, keys.plan)).toString('utf8')))
    },
  }
}

export type StoredPlan = ReturnType<typeof storedPlan>
