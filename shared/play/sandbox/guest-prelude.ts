export const programFile = 'program.js'

/** Maximum length of a printed text, or of an error message. */
export const mostCharacters = 2_000

/** The frozen time of the sandbox's clock: the start of the year 2000, UTC. */
export const fixedMoment = Date.UTC(2000, 0, 1)

/**
 * A program's environment, written in the program's own language. It gets `take`, `note` and `report` of the host,
 * defines the globals of programs, and returns the functions that the host calls. It holds on to every built-in that
 * it uses, so a program that overwrites them changes only its own run.
 *
 * - `act(text)` takes one action and returns its observation, or throws it as an `InvalidAction`.
 * - `print(…)`, `console.log(…)` and its variants collect text.
 * - `Math.random` is mulberry32, as in `shared/core/random`.
 * - `Date` is frozen and knows only UTC, since the host's time zone would change results.
 */
export const guestPrelude = `(take, note, report) => {
  const { apply, construct, defineProperty, ownKeys } = Reflect
  const { slice, toWellFormed, replaceAll, match } = String.prototype
  const { stringify } = JSON
  const { imul } = Math
  const text = String
  const define = (target, name, value) =>
    defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })

  class InvalidAction extends Error {}
  define(InvalidAction.prototype, 'name', 'InvalidAction')

  define(globalThis, 'act', function act(action) {
    if (typeof action !== 'string') {
      throw new TypeError('act takes one action as a text, such as act("look"); it got ' + typeof action + '.')
    }
    const answer = take(action)
    const said = apply(slice, answer, [1])
    if (answer[0] === '+') return said
    throw answer[0] === '-' ? new InvalidAction(said) : new TypeError(said)
  })

  const clean = (value) => apply(replaceAll, apply(toWellFormed, value, []), ['\\0', '\\ufffd'])
  const shown = (value) => {
    if (typeof value === 'string') return value
    if (typeof value !== 'object' || value === null || value instanceof Error) return text(value)
    try {
      const json = stringify(value)
      return typeof json === 'string' ? json : text(value)
    } catch {
      return text(value)
    }
  }
  const cut = (value) => clean(apply(slice, value, [0, ${mostCharacters + 1}]))

  let room = true
  const print = (...values) => {
    if (!room) return
    let line = ''
    for (let index = 0; index < values.length; index += 1) line += (index > 0 ? ' ' : '') + shown(values[index])
    room = note(cut(line))
  }
  define(globalThis, 'print', print)
  define(globalThis, 'console', { log: print, info: print, warn: print, error: print, debug: print })

  let state = 0
  define(Math, 'random', () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  })

  const Clock = Date
  const clock = Clock.prototype
  const { parse, UTC } = Clock
  const { toISOString, toUTCString, getUTCFullYear, valueOf } = clock
  const zoned = /(?:Z|GMT|UTC|[+-]\\d\\d:?\\d\\d)\\s*(?:\\(.*\\))?\\s*$|^\\s*[+-]?\\d{4,6}(?:-\\d\\d(?:-\\d\\d)?)?\\s*$/i
  const { test } = RegExp.prototype
  const read = (written) => {
    const zone = apply(test, zoned, [written]) ? '' : apply(match, written, [/\\dT\\d/]) ? 'Z' : ' GMT'
    return parse(written + zone)
  }
  const moment = (parts) => {
    if (parts.length === 0) return ${fixedMoment}
    if (parts.length > 1) return apply(UTC, Clock, parts)
    const [only] = parts
    if (only instanceof Clock) return apply(valueOf, only, [])
    const plain = typeof only === 'object' && only !== null ? only.valueOf() : only
    return typeof plain === 'string' ? read(plain) : plain
  }
  function FixedDate(...parts) {
    if (!new.target) return apply(toUTCString, construct(Clock, [${fixedMoment}]), [])
    return construct(Clock, [moment(parts)], new.target)
  }
  define(FixedDate, 'name', 'Date')
  defineProperty(FixedDate, 'prototype', { value: clock, writable: false })
  define(FixedDate, 'now', () => ${fixedMoment})
  define(FixedDate, 'parse', (written) => read(text(written)))
  define(FixedDate, 'UTC', UTC)
  define(clock, 'constructor', FixedDate)
  for (const name of ownKeys(clock)) {
    const local = typeof name === 'string' ? apply(replaceAll, name, ['UTC', '']) : name
    if (local !== name && local in clock) define(clock, local, clock[name])
  }
  define(clock, 'getTimezoneOffset', () => 0)
  define(clock, 'getYear', function getYear() { return apply(getUTCFullYear, this, []) - 1900 })
  delete clock.setYear
  define(clock, 'toString', toUTCString)
  define(clock, 'toLocaleString', toUTCString)
  for (const [name, start, end] of [['DateString', 0, 10], ['TimeString', 11, 19]]) {
    const part = function () { return apply(slice, apply(toISOString, this, []), [start, end]) }
    define(clock, 'to' + name, part)
    define(clock, 'toLocale' + name, part)
  }
  define(globalThis, 'Date', FixedDate)

  const seed = (value) => { state = value >>> 0 }
  const textOf = (error, name) => {
    const value = error[name]
    return typeof value === 'string' ? value : ''
  }
  const describe = (error) => {
    let name = ''
    let message = 'The program threw something that cannot be described.'
    let stack = ''
    try {
      message = cut(shown(error))
      if (typeof error === 'object' && error !== null) {
        name = cut(textOf(error, 'name'))
        stack = cut(textOf(error, 'stack'))
        const said = textOf(error, 'message')
        if (said !== '' || error instanceof Error) message = cut(said)
      }
    } catch {
      name = 'Error'
    }
    report(name, message, stack)
  }
  return [seed, describe]
}`
