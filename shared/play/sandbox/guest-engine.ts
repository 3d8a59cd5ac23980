import type { QuickJSContext, QuickJSEmscriptenModule, QuickJSHandle } from 'quickjs-emscripten-core'
import { guestPrelude } from './guest-prelude.ts'
import { SandboxFaultError } from './sandbox-fault-error.ts'

declare const WebAssembly: {
  Memory: new (size: {
    initial: number
    maximum: number
  }) => { buffer: ArrayBuffer; grow(pages: number): number }
}

const page = 65_536
/** Memory pages that QuickJS and its stack use before a program starts. */
const ownPages = 88
/** Bytes held back to describe an out-of-memory error of a program. */
const reserved = 262_144
export const guestMemory = 32 * 1024 * 1024

/** The host's functions for a running program. Each may call `stop`, after which the program never runs again. */
export interface GuestHost {
  /** Answers an action: `+` and the observation, `-` and why it is impossible, `!` and why it is no action. */
  take(action: string): string
  note(line: string): boolean
  report(name: string, message: string, stack: string): void
  /** QuickJS polls about every 10,000 calls and loop rounds. */
  interrupted(): void
}

export type EngineEnding = 'done' | 'stopped' | 'overflow'

export interface GuestEngine {
  context: QuickJSContext
  seed: QuickJSHandle
  describe: QuickJSHandle
  stop(): void
  starved(): boolean
  relieve(): void
  /** Runs work on a fresh engine. @throws SandboxFaultError */
  run(host: GuestHost, work: () => void): EngineEnding
}

/** Thrown through QuickJS, whose code nowhere catches it. */
class GuestStoppedError extends Error {}

async function loadQuickJs() {
  const [{ newQuickJSWASMModuleFromVariant }, { default: variant }] = await Promise.all([
    import('quickjs-emscripten-core'),
    import('@jitl/quickjs-singlefile-mjs-release-sync'),
  ])
  const pages = ownPages + guestMemory / page
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const imported = await variant.importModuleLoader()
  const module = 'default' in imported ? imported.default : imported
  const load = 'default' in module ? module.default : module
  const loaded = await load({ wasmMemory: memory })
  const quickJs = await newQuickJSWASMModuleFromVariant({
    ...variant,
    importModuleLoader: async () => async () => loaded,
  })
  return { quickJs, loaded, memory }
}

/**
 * Opens QuickJS with a context that has run the prelude, and keeps an image of its memory. Each run begins by
 * restoring the image, for three reasons:
 *
 * - Every run starts from the same bytes: earlier counts, allocations or damage cannot show.
 * - An exception that leaves QuickJS in the middle of its work stops a program. The program could catch an error
 *   of QuickJS itself (bellard/quickjs#341), and leftover objects would fail its assertions
 *   (quickjs-emscripten#257).
 * - Nothing needs to be disposed of, and memory stays constant.
 *
 * The memory has a fixed size, since QuickJS compiled by Emscripten cannot count its allocations. Built-ins that
 * never poll (quickjs-emscripten#219) end with their thread.
 */
export async function openGuestEngine(): Promise<GuestEngine> {
  const { quickJs, loaded, memory } = await loadQuickJs()
  const runtime = quickJs.newRuntime()
  const context = runtime.newContext()

  let host: GuestHost | null = null
  let stopping = false
  let starved = false
  let served = false
  const serving = <Result>(serve: (host: GuestHost) => Result): Result => {
    if (host === null) throw new Error('No program runs.')
    const result = serve(host)
    served = true
    return result
  }
  const [seed, describe] = readPrelude(context, hostFunctions(context, serving))
  runtime.setInterruptHandler(() => false)
  const { callbacks } = loaded
  loaded.callbacks = {
    ...callbacks,
    callFunction: (...call: Parameters<typeof callbacks.callFunction>) => {
      served = false
      const result = callbacks.callFunction(...call)
      if (stopping) throw new GuestStoppedError()
      // The library returns null if the host failed, as it does when its stack is full.
      if (!served) throw new RangeError(overflow)
      return result
    },
    shouldInterrupt: () => {
      serving((host) => host.interrupted())
      if (stopping) throw new GuestStoppedError()
      return 0
    },
  }
  const reserve = loaded._malloc(reserved)
  const refusal = new RangeError('The memory has a fixed size.')
  Object.defineProperty(memory, 'grow', {
    value: () => {
      starved = true
      throw refusal
    },
  })

  const bytes = new Uint8Array(memory.buffer)
  const image = bytes.slice(0, bytes.findLastIndex((byte) => byte !== 0) + 1)
  const guard = openGuard(loaded)
  return {
    context,
    seed,
    describe,
    stop: () => {
      stopping = true
    },
    starved: () => starved,
    relieve: () => loaded._free(reserve),
    run(given, work) {
      bytes.set(image)
      bytes.fill(0, image.length)
      host = given
      stopping = false
      starved = false
      const error = guard(work)
      host = null
      if (stopping) return 'stopped'
      if (error === null) return 'done'
      if (isOverflow(error)) return 'overflow'
      throw new SandboxFaultError(error)
    },
  }
}

type HostFunctions = Record<'take' | 'note' | 'report', (...values: QuickJSHandle[]) => QuickJSHandle>

function hostFunctions(
  context: QuickJSContext,
  serving: <Result>(serve: (host: GuestHost) => Result) => Result,
): HostFunctions {
  const text = (handle: QuickJSHandle | undefined) => (handle ? context.getString(handle) : '')
  return {
    take: (action) =>
      serving((host) => {
        const read = text(action)
        const length = context.getProp(action, 'length').consume(context.getNumber)
        // Text without a UTF-8 form, or with a NUL, has another length here.
        const answer =
          read.length === length ? host.take(read) : '!An action is well-formed text without NUL.'
        return context.newString(answer.replaceAll('\0', '\ufffd'))
      }),
    note: (line) => serving((host) => (host.note(text(line)) ? context.true : context.false)),
    report: (name, message, stack) =>
      serving((host) => {
        host.report(text(name), text(message), text(stack))
        return context.undefined
      }),
  }
}

/** Runs the prelude. Holds on to the prelude's host functions, so that no program can free them. */
function readPrelude(context: QuickJSContext, functions: HostFunctions): [QuickJSHandle, QuickJSHandle] {
  const prelude = context.unwrapResult(context.evalCode(guestPrelude, 'sandbox.js', { type: 'global' }))
  const { take, note, report } = functions
  const handles = [take, note, report].map((serve) => context.newFunction(serve))
  const made = context.unwrapResult(context.callFunction(prelude, context.undefined, handles))
  return [context.getProp(made, 0), context.getProp(made, 1)]
}

/**
 * Runs work and returns the error that it threw. Uses Emscripten's `cwrap`, which saves the stack pointer before a
 * call with a text and restores it after, even if an exception left WebAssembly.
 */
function openGuard(loaded: QuickJSEmscriptenModule): (work: () => void) => unknown {
  let given = (): void => undefined
  let error: unknown = null
  const _guarded = () => {
    try {
      given()
    } catch (thrown) {
      error = thrown
    }
  }
  const guarded = Object.assign(loaded, { _guarded }).cwrap('guarded', null, ['string'])
  return (work) => {
    given = work
    error = null
    guarded('')
    return error
  }
}

const overflow = 'Maximum call stack size exceeded'

function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message === overflow
}
