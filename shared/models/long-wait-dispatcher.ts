/** Node's `fetch` gives up on an answer's headers after this long, whatever time-out its caller sets. */
const nodeLimit = 300_000

type Dispatcher = NonNullable<RequestInit['dispatcher']>

interface DispatcherOptions {
  headersTimeout: number
  bodyTimeout: number
}

/**
 * A dispatcher for `fetch` that waits longer than Node's five minutes, so that an endpoint's `timeout` means what it
 * says. Node publishes its dispatcher under a well-known symbol but has no other door to the class.
 *
 * @param timeout Milliseconds.
 * @returns undefined where Node's own limit is long enough, or this Node has no such dispatcher.
 */
export function longWaitDispatcher(timeout: number): Dispatcher | undefined {
  if (timeout <= nodeLimit) return undefined
  void globalThis.Response // loads Node's fetch, which sets the symbol
  const current: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
  if (typeof current !== 'object' || current === null) return undefined
  const LongWaitDispatcher = current.constructor as new (options: DispatcherOptions) => Dispatcher
  return new LongWaitDispatcher({ headersTimeout: timeout + 1000, bodyTimeout: timeout + 1000 })
}
