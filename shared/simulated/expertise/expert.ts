import type { Message } from '../../contracts/message.ts'

export interface ExpertFunction {
  readonly name: string
  readonly parameters: readonly string[]
  /** JavaScript: a doc comment and the declaration. */
  readonly code: string
  /** Fragments of the code, with their replacements in a wrong answer. */
  readonly blunders: readonly (readonly [right: string, wrong: string])[]
}

export interface Outlook {
  /** A few words, such as `craft a ladder`. */
  readonly goal: string
  readonly isReached: boolean
  /** True if the task can no longer succeed. */
  readonly isSpoiled: boolean
  readonly isRefused: boolean
  /** The right next action; null if the task is complete or the action unknown. */
  readonly next: string | null
  readonly missing: number
  readonly functions: readonly ExpertFunction[]
  /** Statements that complete the task with these functions, one step each. */
  statements(): string[]
  /** An agent's actions with these functions, if they differ from the statements. */
  usage?(): string[]
  /** A whole program, if it is not functions followed by statements. */
  program?(): string
  /** The next step as a call of a function with a known name; null if none fits. */
  call(known: ReadonlySet<string>): string | null
}

/** Analyses one environment beyond its next action: the progress of a task, and programs that solve it. */
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
