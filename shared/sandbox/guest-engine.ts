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
/** What QuickJS and its stack take of the memory before a program starts. */
const ownPages = 88
/** Bytes that are kept back for describing what a program threw for want of memory. */
const reserved = 262_144
/** Bytes that a program may use. */
export const guestMemory = 32 * 1024 * 1024

/** What the host does for a program while it runs; each may call `stop`, after which the program never runs again. */
export interface GuestHost {
  /** Answers an action: `+` and the observation, `-` and why it is not possible, `!` and why it is no action. */
  take(action: string): string
  /** Takes a printed line; false when no more are wanted. */
  note(line: string): boolean
  /** Hears what the program threw. */
  report(name: string, message: string, stack: string): void
  /** QuickJS polls: called about every 10,000 calls and loop rounds. */
  interrupted(): void
}

/** How a piece of work in the engine came out. */
export type EngineEnding = 'done' | 'stopped' | 'overflow'

/** QuickJS in the state in which it was opened, whatever ran before. */
export interface GuestEngine {
  context: QuickJSContext
  seed: QuickJSHandle
  describe: QuickJSHandle
  /** Stops the program that runs: it is left where it stands, and cannot catch that. */
  stop(): void
  /** Whether memory was refused since the work began. */
  starved(): boolean
  /** Lets go of memory that was kept back, to describe what was thrown for want of it. */
  relieve(): void
  /** Does work on a fresh engine. Throws `SandboxFaultError`. */
  run(host: GuestHost, work: () => void): EngineEnding
}

/** Thrown through QuickJS, whose code has no place that would catch it. */
class GuestStoppedError extends Error {}

/** Loads QuickJS with a memory whose size is fixed. */
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
 * Opens QuickJS with a context that has run the prelude, and keeps an image of its memory. Each run begins by putting the
 * image back, so that
 *
 * - every run starts from the same bytes: what was counted, allocated or broken before cannot show;
 * - a program is stopped by an exception that leaves QuickJS in the middle of its work, where an error of its own could be
 *   caught by the program (bellard/quickjs#341) and objects left over would fail its assertions (quickjs-emscripten#257);
 * - nothing has to be disposed of, and memory stays as it is.
 *
 * The memory has a fixed size, since QuickJS compiled by Emscripten cannot count what it allocates. Built-ins that never
 * poll (quickjs-emscripten#219) are ended with the thread that they run on.
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
      // The library answers with null where the host failed, as it does when its stack is full.
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

/** What a program calls of its host. @param serving - asks the host of the program that runs */
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
        // What has no form in UTF-8 or ends at a NUL comes out with another length.
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

/** Runs the prelude; what it holds of the host is held here too, so that no program can have it freed. */
function readPrelude(context: QuickJSContext, functions: HostFunctions): [QuickJSHandle, QuickJSHandle] {
  const prelude = context.unwrapResult(context.evalCode(guestPrelude, 'sandbox.js', { type: 'global' }))
  const { take, note, report } = functions
  const handles = [take, note, report].map((serve) => context.newFunction(serve))
  const made = context.unwrapResult(context.callFunction(prelude, context.undefined, handles))
  return [context.getProp(made, 0), context.getProp(made, 1)]
}

/**
 * Runs work, and gives the error that it threw. By Emscripten's `cwrap`, which notes the stack pointer before a call with a
 * text and restores it after, also when what was called left WebAssembly by an exception.
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

/** V8's words for it. */
const overflow = 'Maximum call stack size exceeded'

function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message === overflow
}
