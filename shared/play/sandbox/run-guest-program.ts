import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { clipText } from '../../core/contracts/well-formed.ts'
import type { EngineEnding, GuestEngine } from './guest-engine.ts'
import { mostCharacters, programFile } from './guest-prelude.ts'
import { isTooDeep } from './is-too-deep.ts'
import {
  type ActAnswer,
  type FailureReason,
  type Program,
  type ProgramState,
  type SandboxLimits,
  sandboxLimits,
} from './program.ts'

const mostActionCharacters = 10_000
const mostLines = 100
const tooDeep = 'The program is nested too deeply.'
const asyncFlag = 1 << 7
const compileFlag = 1 << 5

/**
 * Runs a program from its top on an engine, as `Sandbox.run` says. The owner of the thread enforces the wall-time
 * limit.
 */
export function runGuestProgram(
  engine: GuestEngine,
  program: Program,
  answers: readonly ActAnswer[],
): ProgramState {
  return new ProgramRun(engine, program, answers).play()
}

class ProgramRun {
  readonly #engine: GuestEngine
  readonly #program: Program
  readonly #answers: readonly ActAnswer[]
  readonly #limits: SandboxLimits
  readonly #printed: string[] = []
  #acts = 0
  #interrupts = 0
  #over: 'syntax' | 'thrown' | null = null
  #state: ProgramState | null = null

  constructor(engine: GuestEngine, program: Program, answers: readonly ActAnswer[]) {
    this.#engine = engine
    this.#program = program
    this.#answers = answers
    this.#limits = { ...sandboxLimits, ...program.limits }
  }

  play(): ProgramState {
    const { code } = this.#limits
    if (this.#program.code.length > code)
      this.#end('syntax', `The program is longer than ${code} characters.`)
    else if (isTooDeep(this.#program.code)) this.#end('stack', tooDeep)
    else if (this.#run() === 'overflow') this.#end('stack', tooDeep)
    return this.#state ?? { type: 'ended', printed: this.#printed }
  }

  #run(): EngineEnding {
    return this.#engine.run(
      {
        take: (action) => this.#take(action),
        note: (line) => this.#note(line),
        report: (name, message, stack) => this.#report(name, message, stack),
        interrupted: () => this.#countInterrupt(),
      },
      () => this.#evaluate(),
    )
  }

  #evaluate(): void {
    const { context, seed } = this.#engine
    context.unwrapResult(context.callFunction(seed, context.undefined, context.newNumber(this.#program.seed)))
    context.runtime.setMaxStackSize(this.#limits.stack)
    const flags = this.#compile(0) ? asyncFlag : 0
    const wrong = flags === 0 ? undefined : this.#compile(flags)
    if (wrong) this.#fail(wrong, 'syntax')
    else this.#execute(flags)
  }

  #compile(flags: number): QuickJSHandle | undefined {
    const result = this.#engine.context.evalCode(this.#program.code, programFile, flags | compileFlag)
    if (result.error) return result.error
    result.value.dispose()
    return undefined
  }

  #execute(flags: number): void {
    const { context } = this.#engine
    const result = context.evalCode(this.#program.code, programFile, flags)
    let error = result.error
    while (!error && context.runtime.hasPendingJob()) error = context.runtime.executePendingJobs().error
    if (error) this.#fail(error, 'thrown')
    else this.#settle(context.unwrapResult(result), flags === asyncFlag)
  }

  #settle(last: QuickJSHandle, wrapped: boolean): void {
    const { context } = this.#engine
    const promise = context.getPromiseState(last)
    if (promise.type === 'rejected') this.#fail(promise.error, 'thrown')
    else if (promise.type === 'pending')
      this.#end('thrown', 'The program waits for a promise that nothing settles.')
    else if (wrapped) this.#settle(context.getProp(promise.value, 'value'), false)
  }

  #fail(error: QuickJSHandle, reason: 'syntax' | 'thrown'): void {
    const { context, describe } = this.#engine
    this.#over = reason
    this.#engine.relieve()
    const described = context.callFunction(describe, context.undefined, error)
    if (described.error) this.#report('', 'null', '')
  }

  #take(action: string): string {
    const { mostActs } = this.#limits
    if (this.#over !== null) return '!The program has ended.'
    if (action.length > mostActionCharacters) {
      return `!An action has at most ${mostActionCharacters} characters.`
    }
    const answer = this.#answers[this.#acts]
    if (this.#acts >= mostActs) {
      this.#end('interrupted', `The program took more than ${mostActs} actions.`)
      this.#engine.stop()
      return ''
    }
    this.#acts += 1
    if (answer) return `${answer.valid ? '+' : '-'}${answer.observation}`
    this.#state = { type: 'acts', action }
    this.#engine.stop()
    return ''
  }

  #note(line: string): boolean {
    const more = this.#printed.length < mostLines
    if (!more) this.#printed.push(`… (more than ${mostLines} lines)`)
    else this.#printed.push(shorten(line))
    return more
  }

  #report(name: string, message: string, stack: string): void {
    // QuickJS throws null if it lacks the memory for an error.
    const said = message === 'null' && this.#engine.starved() ? 'out of memory' : message
    const line = /program\.js:(\d+)/.exec(stack)?.[1]
    this.#end(this.#reasonOf(name, said), shorten(said), line === undefined ? null : Number(line))
  }

  #reasonOf(name: string, message: string): FailureReason {
    if (name === 'InvalidAction') return 'invalid_action'
    if (message.startsWith('out of memory')) return 'memory'
    if (message === 'stack overflow') return 'stack'
    return this.#over ?? 'thrown'
  }

  #countInterrupt(): void {
    this.#interrupts += 1
    if (this.#interrupts <= this.#limits.interrupts) return
    this.#end('interrupted', 'The program ran for too long without an end.')
    this.#engine.stop()
  }

  #end(reason: FailureReason, message: string, line: number | null = null): void {
    this.#state = { type: 'failed', reason, message, line, printed: this.#printed }
  }
}

function shorten(text: string): string {
  return text.length > mostCharacters ? `${clipText(text, mostCharacters)}… (cut)` : text
}
