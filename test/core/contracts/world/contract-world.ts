import { randomUUID } from 'node:crypto'
import type { World } from '../../../../shared/core/world/ports.ts'

/** How a driver's test opens its world: with empty queues, and nothing that another open world shares with it. */
export type OpenWorld = () => Promise<ContractWorld>

export interface ContractWorld {
  world: World
  /** Closes the world and removes what it kept. */
  dispose(): Promise<void>
}

/** A prefix of keys that no other test uses, so that suites can share a bucket or a table. */
export function uniqueName(): string {
  return `contract-${randomUUID()}`
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function text(body: Uint8Array | undefined): string | undefined {
  return body && new TextDecoder().decode(body)
}

/** Runs the work as often as said, all at once. */
export function atOnce<Result>(times: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)))
}
