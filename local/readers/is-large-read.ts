const largeReads: readonly (readonly [method: string, path: RegExp])[] = [
  ['GET', /^\/v1\/runs$/],
  ['GET', /^\/v1\/runs\/[^/]+\/(?!events$).+$/],
  ['GET', /^\/v1\/reports\/success$/],
  ['POST', /^\/v1\/reports\/[^/]+$/],
  ['GET', /^\/v1\/experiments$/],
  ['GET', /^\/metrics$/],
]

export function isLargeRead(method: string, path: string): boolean {
  return largeReads.some(([allowed, pattern]) => method === allowed && pattern.test(path))
}
