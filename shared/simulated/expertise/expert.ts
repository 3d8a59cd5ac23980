import type { Message } from '../../contracts/message.ts'

/** A function that an expert writes for larger steps of a task. */
export interface ExpertFunction {
  readonly name: string
  readonly parameters: readonly string[]
  /** JavaScript: a doc comment and the declaration. */
  readonly code: string
  /** Texts of the code, and what stands in their place in a wrong answer. */
  readonly blunders: readonly (readonly [right: string, wrong: string])[]
}

/** What an expert makes of a conversation with an environment. */
export interface Outlook {
  /** In a few words, such as `craft a ladder`. */
  readonly goal: string
  readonly isReached: boolean
  /** Nothing can make it good any more. */
  readonly isSpoiled: boolean
  /** The last action was not understood or not possible. */
  readonly isRefused: boolean
  /** The right next action; null where nothing is left or known. */
  readonly next: string | null
  /** How many actions are missing, as far as it can be estimated: less is nearer. */
  readonly missing: number
  /** JavaScript functions for tasks of this kind. */
  readonly functions: readonly ExpertFunction[]
  /** Statements that do the rest of the task with these functions, one step of the task each. */
  statements(): string[]
  /** What an agent would write to do it with these functions, where that is not what the statements say. */
  usage?(): string[]
  /** A whole program of its own kind, where that is another than functions with statements. */
  program?(): string
  /** The next step as a call of one of the functions that are known by these names; null where none fits. */
  call(known: ReadonlySet<string>): string | null
}

/** Knows one environment beyond its next action: how far a task is, and how programs do it. */
export interface Expert {
  readonly name: string
  /** Null for a conversation with another environment. */
  look(messages: readonly Message[]): Outlook | null
}

/** A call as it is written in code and in actions. */
export function callText(name: string, ...values: readonly string[]): string {
  return `${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`
}

/** The name of the function that a call names. */
export function calledName(call: string): string {
  return call.slice(0, Math.max(0, call.indexOf('(')))
}
