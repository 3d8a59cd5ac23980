import { z } from 'zod'
import { compress, decompress } from '../../../core/engine/gzip.ts'
import { readObject } from '../../../core/engine/read-object.ts'
import type { Objects } from '../../../core/world/ports.ts'

export const partTaskSchema = z.object({
  task: z.string(),
  task_split: z.string().nullable(),
  prompts: z.array(z.string()).describe('Digests; empty where the task gave no row.'),
})

export type PartTask = z.infer<typeof partTaskSchema>

const partTasksSchema = z.array(partTaskSchema)

export async function storePartTasks(objects: Objects, key: string, tasks: PartTask[]): Promise<void> {
  await objects.put(key, await compress(JSON.stringify(tasks)), { content_type: 'application/gzip' })
}

export async function readPartTasks(objects: Objects, key: string): Promise<PartTask[]> {
  const text = (await decompress(await readObject(objects, key))).toString('utf8')
  return partTasksSchema.parse(JSON.parse(text))
}
