import { expect } from 'vitest'
import type { ErrorBody } from '../../../shared/core/contracts/error-body.ts'
import type { Answer } from './open-whole-api.ts'
import type { Kind } from './tenant-requests.ts'

/** What a tenant has made. */
export interface OwnedObject {
  id: string
  tenant: number
}

export function owns(things: OwnedObject[], id: string, tenant: number): boolean {
  return things.some((thing) => thing.id === id && thing.tenant === tenant)
}

/** One of a dataset's sources is not the tenant's; the answer names one such by its place. */
export function expectUnknownSource(
  answer: Answer,
  sources: Record<'runs' | 'trajectories' | 'experts', string[]>,
  owned: OwnedObject[],
  tenant: number,
): void {
  const { param } = answer.json<ErrorBody>().error
  const [, field = '', place] = /^(\w+)\[(\d+)\]$/.exec(param ?? '') ?? []
  const id = sources[field as keyof typeof sources][Number(place)] ?? ''
  expect(owns(owned, id, tenant)).toBe(false)
  const messages: Record<string, string> = {
    runs: `There is no run "${id}". List the runs to find its id. Imported trajectories belong in "trajectories".`,
    trajectories: `There are no imported trajectories "${id}". List the imports to find its id. Runs belong in "runs".`,
    experts: `There is no run "${id}". List the runs to find its id. There are no imported trajectories "${id}". List the imports to find its id.`,
  }
  expect(answer.json<ErrorBody>().error.message).toBe(messages[field])
  expect(answer.status).toBe(404)
}

/** One of the runs is not the tenant's; the answer names one such by its place. */
export function expectUnknownRunOf(
  answer: Answer,
  runs: string[],
  things: OwnedObject[],
  tenant: number,
): void {
  const { param } = answer.json<ErrorBody>().error
  const named = runs[Number(/^runs\[(\d+)\]$/.exec(param ?? '')?.[1])] ?? ''
  expect(owns(things, named, tenant)).toBe(false)
  expectUnknown(answer, 'run', named, String(param))
}

/** The answer for an id that never was, to the letter. */
export function expectUnknown(answer: Answer, kind: Kind, id: string, param: string): void {
  expect(answer.status).toBe(404)
  const messages = {
    run: `There is no run "${id}". List the runs to find its id.`,
    import: `There are no imported trajectories "${id}". List the imports to find its id.`,
    dataset: `There is no dataset "${id}". List the datasets to find its id.`,
    loop: `There is no loop "${id}". List the loops to find its id.`,
    key: `There is no key "${id}". List the keys to find its id.`,
  }
  const body: ErrorBody = {
    error: { type: 'not_found_error', code: 'not_found', message: messages[kind], param },
  }
  expect(answer.json()).toEqual(body)
}
