import type { ProgramLanguage } from '../../core/contracts/program-language.ts'

/** Limits of a program. All but `time` are counts, so that a program always meets them at the same point. */
export interface SandboxLimits {
  /** Characters of code. */
  code: number
  mostActs: number
  /**
   * Interrupts, counted from the top of the program: QuickJS polls one at about every 10,000 calls and loop rounds.
   */
  interrupts: number
  stack: number
  /** Milliseconds of wall time: only a backstop, which ends in a `SandboxTimeoutError` and never in a state. */
  time: number
}

/**
 * 200 interrupts are two million rounds: 0.05 s of a tight loop, and up to 2 s if every round throws, parses or
 * sorts. The stack holds some 500 nested calls. A larger one would often exhaust the host's own stack first, whose
 * size we cannot set. As it is, only code that evaluates source nested hundreds of brackets deep, or writes JSON
 * nested thousands deep, reaches the host's limit, and fails as `stack`.
 */
export const sandboxLimits: SandboxLimits = {
  code: 100_000,
  mostActs: 200,
  interrupts: 200,
  stack: 96 * 1024,
  time: 20_000,
}

export interface Program {
  code: string
  calls?: string
  language?: ProgramLanguage
  seed: number
  limits?: Partial<SandboxLimits>
}

export interface ActAnswer {
  observation: string
  /** False: the action was not understood or not possible; `act` throws the observation. */
  valid: boolean
}

/** The reason why a program failed. `invalid_action`: an `act` threw, and nothing caught it. */
export type FailureReason = 'thrown' | 'syntax' | 'interrupted' | 'memory' | 'stack' | 'invalid_action'

export type ProgramState =
  | { type: 'acts'; action: string }
  | { type: 'ended'; printed: string[] }
  | { type: 'failed'; reason: FailureReason; message: string; line: number | null; printed: string[] }
