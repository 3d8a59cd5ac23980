import { z } from 'zod'
import type { DataPack } from '../data-pack.ts'
import type { EnvironmentTask } from '../environment.ts'
import { osworldIndex } from './pack-format.ts'
import { osworldTaskSchema } from './task-file.ts'
import { osworldNeedsSchema } from './task-needs.ts'

export const osworldIndexSchema = z.array(
  z.object({
    id: z.string(),
    domain: z.string(),
    description: z.string(),
    needs: osworldNeedsSchema,
    available: z.array(z.string()),
  }),
)

export type ListedOsworldTask = z.infer<typeof osworldIndexSchema>[number]

export const packedOsworldTaskSchema = z.object({
  task: osworldTaskSchema,
  files: z.record(z.string(), z.string()),
})

export type PackedOsworldTask = z.infer<typeof packedOsworldTaskSchema>

export async function readOsworldTasks(
  pack: DataPack,
  lacksOfTask: (task: ListedOsworldTask) => string[],
): Promise<EnvironmentTask[]> {
  const text = new TextDecoder().decode(await pack.read(osworldIndex))
  const index = osworldIndexSchema.parse(JSON.parse(text))
  const all = index.map((listed): EnvironmentTask => {
    const { id: task, domain, description } = listed
    const lacks = lacksOfTask(listed)
    return {
      id: task,
      split: lacks.length === 0 ? 'test' : 'lacking',
      type: domain,
      description,
      ...(lacks.length > 0 && { lacks }),
    }
  })
  return [...all.filter(({ split }) => split === 'test'), ...all.filter(({ split }) => split !== 'test')]
}
