/** Bounds within which a program runs. All but `time` are counted, so that a program meets them at the same place always. */
export interface SandboxLimits {
  /** Characters of code. */
  code: number
  /** Primitive actions that the program may take. */
  mostActs: number
  /** Interrupts, counted from the top of the program: QuickJS polls one at about every 10,000 calls and loop rounds. */
  interrupts: number
  /** Bytes of stack. */
  stack: number
  /** Milliseconds of wall time: a backstop alone, that ends in a `SandboxTimeoutError` and never in a state. */
  time: number
}

/**
 * 200 interrupts are two million rounds: 0.05 s of a tight loop, and up to 2 s where every round throws, parses or sorts. The stack
 * holds some 500 nested calls; with a larger one the host's own stack, whose size is not ours to fix, would often be the
 * first to run out. As it is, only code that evaluates source nested hundreds of brackets deep, or writes JSON nested
 * thousands deep, gets there, and fails as `stack`.
 */
export const sandboxLimits: SandboxLimits = {
  code: 100_000,
  mostActs: 200,
  interrupts: 200,
  stack: 96 * 1024,
  time: 20_000,
}

/** Generated code, and what decides its chance. */
export interface Program {
  code: string
  /** Seeds `Math.random`. */
  seed: number
  limits?: Partial<SandboxLimits>
}

/** What came of a primitive action that the program took. */
export interface ActAnswer {
  observation: string
  /** False: the action was not understood or not possible; `act` throws the observation. */
  valid: boolean
}

/** Why a program did not end well. `invalid_action`: an `act` threw, and nothing caught it. */
export type FailureReason = 'thrown' | 'syntax' | 'interrupted' | 'memory' | 'stack' | 'invalid_action'

/** Where a program stands with the answers known so far. */
export type ProgramState =
  | { type: 'acts'; action: string }
  | { type: 'ended'; printed: string[] }
  | { type: 'failed'; reason: FailureReason; message: string; line: number | null; printed: string[] }
