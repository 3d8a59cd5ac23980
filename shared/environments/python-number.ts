import { pythonStrip } from './python-text.ts'

const integer = /^[+-]?\d+(?:_\d+)*$/
const decimal = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i
const named = /^([+-]?)(?:inf|infinity)$/i

/** Python's `int(text)`: digits of any script, and single underscores between them. Undefined: a ValueError. */
export function pythonInt(text: string): number | undefined {
  const written = withPlainDigits(pythonStrip(text))
  return integer.test(written) ? Number(written.replaceAll('_', '')) : undefined
}

/** Python's `float(text)`. Undefined: a ValueError. */
export function pythonFloat(text: string): number | undefined {
  const written = withPlainDigits(pythonStrip(text))
  if (decimal.test(written)) return Number(written.replaceAll('_', ''))
  if (/^[+-]?nan$/i.test(written)) return Number.NaN
  const [, sign] = named.exec(written) ?? []
  return sign === undefined ? undefined : sign === '-' ? -Infinity : Infinity
}

// Unicode has decimal digits in runs of ten, each from zero to nine.
function withPlainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let first = code
    while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1
    return String((code - first) % 10)
  })
}
