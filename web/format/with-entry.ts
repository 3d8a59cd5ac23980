export function withEntry(address: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(address)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}
