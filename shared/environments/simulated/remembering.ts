export function remembering<Value>(most: number): (text: string, work: () => Value) => Value {
  const known = new Map<string, Value>()
  return (text, work) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = work()
    known.set(text, value)
    if (known.size > most) known.delete(known.keys().next().value ?? '')
    return value
  }
}
