/**
 * Replaces every lone surrogate in texts and field names of a JSON value by U+FFFD. UTF-8 cannot hold a lone
 * surrogate, so strict readers of JSON refuse a text with one. A value without any is returned unchanged.
 */
export function wellFormed<Value>(value: Value): Value {
  return isWellFormed(value) ? value : (replaceIn(value) as Value)
}

const known = new WeakSet<object>()

/** As {@link wellFormed}, for items that stay as they are: each is looked at once. */
export function wellFormedItems<Item extends object>(items: readonly Item[]): readonly Item[] {
  const isKnown = (item: Item): boolean => {
    if (known.has(item)) return true
    if (!isWellFormed(item)) return false
    known.add(item)
    return true
  }
  return items.every(isKnown) ? items : items.map((item) => (isKnown(item) ? item : wellFormed(item)))
}

/** The first UTF-16 units of a text, at most `longest`, without half of a surrogate pair at the end. */
export function clipText(text: string, longest: number): string {
  const end = Math.max(0, longest)
  return text.slice(0, splitsPair(text, end) ? end - 1 : end)
}

/** The last UTF-16 units of a text, at most `longest`, without half of a surrogate pair at the start. */
export function clipStart(text: string, longest: number): string {
  const start = Math.max(0, text.length - Math.max(0, longest))
  return text.slice(splitsPair(text, start) ? start + 1 : start)
}

function splitsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff
}

// A list of pending values in place of recursion: external JSON may nest to any depth.
function isWellFormed(value: unknown): boolean {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') {
      if (!next.isWellFormed()) return false
    } else if (Array.isArray(next)) {
      for (const item of next) waiting.push(item)
    } else if (isRecord(next)) {
      for (const [name, item] of Object.entries(next)) waiting.push(name, item)
    }
  }
  return true
}

function replaceIn(value: unknown): unknown {
  const copy: { value?: unknown } = {}
  const waiting: { into: object; name: string; item: unknown }[] = [
    { into: copy, name: 'value', item: value },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { into, name, item } = next
    const isList = Array.isArray(item)
    const made = typeof item === 'string' ? item.toWellFormed() : isList ? [] : isRecord(item) ? {} : item
    // Defined rather than assigned: a field may be called __proto__.
    const property = { value: made, enumerable: true, writable: true, configurable: true }
    Object.defineProperty(into, name.toWellFormed(), property)
    if (!isList && !isRecord(item)) continue
    const fields = Object.entries(item).reverse()
    for (const [field, inner] of fields) waiting.push({ into: made as object, name: field, item: inner })
  }
  return copy.value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
