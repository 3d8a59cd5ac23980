import { gettersOf, type OsworldSetup, type OsworldTask, setupsOf } from './task-file.ts'

export interface OsworldFile {
  readonly url: string
  readonly name: string
}

export function filesOfTask(task: OsworldTask): OsworldFile[] {
  const found = [...setupsOf(task).flatMap(filesOfSetup), ...gettersOf(task).flatMap(filesOfGetter)]
  return [...new Map(found.map((file) => [file.url, file])).values()]
}

function filesOfSetup({ type, parameters }: OsworldSetup): OsworldFile[] {
  if (type === 'download') return listOf(parameters.files).flatMap((file) => fileOf(file, 'url', 'path'))
  if (type === 'googledrive') return listOf(parameters.args).flatMap((file) => fileOf(file, 'url', 'path'))
  return []
}

function filesOfGetter(getter: { type: string } & Record<string, unknown>): OsworldFile[] {
  if (getter.type !== 'cloud_file') return []
  const names = listOf(getter.dest)
  return listOf(getter.path).flatMap((path, place) => fileOf({ path, dest: names[place] }, 'path', 'dest'))
}

function fileOf(given: unknown, address: string, name: string): OsworldFile[] {
  const fields = given as Readonly<Record<string, unknown>> | null
  const url = fields?.[address]
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return []
  const called = fields?.[name]
  return [{ url, name: typeof called === 'string' ? (called.split('/').at(-1) ?? '') : '' }]
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : given === undefined ? [] : [given]
}
