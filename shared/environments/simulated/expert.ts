import type { Message } from '../../core/contracts/message.ts'

export interface ExpertFunction {
  readonly name: string
  readonly parameters: readonly string[]
  readonly code: string
  readonly blunders: readonly (readonly [right: string, wrong: string])[]
}

export interface Outlook {
  readonly goal: string
  readonly isReached: boolean
  readonly isSpoiled: boolean
  readonly isRefused: boolean
  readonly next: string | null
  readonly missing: number
  readonly functions: readonly ExpertFunction[]
  statements(): string[]
  plan?(): readonly string[]
  usage?(): string[]
  program?(): string
  call(known: ReadonlySet<string>): string | null
}

export interface Expert {
  readonly name: string
  /** Null for a conversation with another environment. */
  look(messages: readonly Message[]): Outlook | null
}

export function callText(name: string, ...values: readonly string[]): string {
  return `${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`
}

export function calledName(call: string): string {
  return call.slice(0, Math.max(0, call.indexOf('(')))
}
