/** Finds the first value that JSON would lose: `state.since is a Date`. Null if all of it is JSON. */
export function findNoJson(value: unknown, path = 'state'): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return `${path} is -0, which JSON keeps as 0`
    return Number.isFinite(value) ? null : `${path} is ${value}`
  }
  if (typeof value !== 'object')
    return `${path} is ${typeof value === 'undefined' ? '' : 'a '}${typeof value}`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findNoJson(value[index], `${path}[${index}]`)
      if (found !== null) return found
    }
    return null
  }
  if (prototype !== Object.prototype && prototype !== null) {
    return `${path} is a ${value.constructor?.name ?? 'object of a class'}`
  }
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol') return `${path} has the key ${String(key)}`
    const found = findNoJson(Reflect.get(value, key), `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}
