/**
 * The node that a note was learned at, where its id says so.
 *
 * @example
 * noteNode('ep-0000001/reflect/policy/4') // 4
 */
export function noteNode(id: string): number | null {
  const node = /\/reflect\/(?:policy|value)\/(\d+)$/.exec(id)?.[1]
  return node === undefined ? null : Number(node)
}
