import { EspalierError } from '../../contracts/errors.ts'
import type { Learned } from '../runs/run-planner.ts'
import { lookInto } from '../unknown-id.ts'

const prefixes = { memory: 'mem-', library: 'lib-' } as const satisfies Record<Learned, string>

export function memoryIdOf(run: string): string {
  return learnedIdOf('memory', run)
}

export function libraryIdOf(run: string): string {
  return learnedIdOf('library', run)
}

export function learnedIdOf(kind: Learned, run: string): string {
  return run.replace(/^run-/, prefixes[kind])
}

export function runOfMemory(memory: string): string {
  return runOfLearned('memory', memory)
}

/** The run that wrote a memory or library. @throws EspalierError `not_found` for any other id */
export function runOfLearned(kind: Learned, id: string): string {
  if (!id.startsWith(prefixes[kind]))
    throw new EspalierError('not_found', `There is no ${kind} "${id}". ${lookInto(kind)}`, { param: kind })
  return `run-${id.slice(prefixes[kind].length)}`
}
