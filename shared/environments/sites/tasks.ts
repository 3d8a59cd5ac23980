import { z } from 'zod'
import type { EnvironmentTask } from '../environment.ts'
import { packedTaskId } from '../webarena/pack-format.ts'
import { rolesOfTask, type WebarenaTask, webarenaTaskSchema } from '../webarena/task-file.ts'
import classifieds from './tasks/classifieds.json' with { type: 'json' }
import reddit from './tasks/reddit.json' with { type: 'json' }
import shopping from './tasks/shopping.json' with { type: 'json' }

export interface SitesTask {
  readonly id: string
  readonly split: string
  readonly task: WebarenaTask
  readonly written: unknown
}

const splitSchema = z.object({ split: z.enum(['train', 'test']) })

/** The ids are those of a data pack of the same files. */
function readTasks(): SitesTask[] {
  const lists = { shopping, reddit, classifieds }
  return Object.entries(lists).flatMap(([name, list]) =>
    list.map((written): SitesTask => {
      const task = webarenaTaskSchema.parse(written)
      const id = packedTaskId(task.task_id, `tasks/${name}.json`)
      return { id, split: splitSchema.parse(written).split, task, written }
    }),
  )
}

let read: ReadonlyMap<string, SitesTask> | undefined

export function sitesTasks(): ReadonlyMap<string, SitesTask> {
  read ??= new Map(readTasks().map((task) => [task.id, task]))
  return read
}

export function listSitesTasks(): EnvironmentTask[] {
  const bySplit = Map.groupBy(sitesTasks().values(), ({ split }) => split)
  return splitSchema.shape.split.options.flatMap((each) => (bySplit.get(each) ?? []).map(toTask))
}

function toTask({ id, split, task }: SitesTask): EnvironmentTask {
  const asks = rolesOfTask(task)
  return {
    id,
    split,
    type: task.sites.join('+'),
    description: task.intent,
    ...(asks.length > 0 && { asks }),
  }
}
