import { z } from 'zod'
import type { EnvironmentTask } from '../environment.ts'
import { type OsworldTask, osworldTaskSchema } from '../osworld/task-file.ts'
import calc from './tasks/calc.json' with { type: 'json' }
import files from './tasks/files.json' with { type: 'json' }
import gimp from './tasks/gimp.json' with { type: 'json' }
import impress from './tasks/impress.json' with { type: 'json' }
import settings from './tasks/settings.json' with { type: 'json' }
import terminal from './tasks/terminal.json' with { type: 'json' }
import vlc from './tasks/vlc.json' with { type: 'json' }
import writer from './tasks/writer.json' with { type: 'json' }

export interface DesktopTask {
  readonly id: string
  readonly split: string
  readonly domain: string
  readonly task: OsworldTask
  readonly written: unknown
}

const splitSchema = z.object({ split: z.enum(['train', 'test']) })

function readTasks(): DesktopTask[] {
  const lists: Record<string, readonly unknown[]> = {
    calc,
    writer,
    impress,
    gimp,
    vlc,
    terminal,
    files,
    settings,
  }
  return Object.entries(lists).flatMap(([domain, list]) =>
    list.map((written): DesktopTask => {
      const task = osworldTaskSchema.parse(written)
      return { id: task.id, split: splitSchema.parse(written).split, domain, task, written }
    }),
  )
}

let read: ReadonlyMap<string, DesktopTask> | undefined

export function desktopTasks(): ReadonlyMap<string, DesktopTask> {
  read ??= new Map(readTasks().map((task) => [task.id, task]))
  return read
}

export function listDesktopTasks(): EnvironmentTask[] {
  const bySplit = Map.groupBy(desktopTasks().values(), ({ split }) => split)
  return splitSchema.shape.split.options.flatMap((each) => (bySplit.get(each) ?? []).map(toTask))
}

function toTask({ id, split, domain, task }: DesktopTask): EnvironmentTask {
  return { id, split, type: domain, description: task.instruction.replace(/\s+/g, ' ').trim() }
}
