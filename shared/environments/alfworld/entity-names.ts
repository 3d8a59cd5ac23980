export interface EntityNames {
  nameOf(id: string): string
  objectNamed(name: string): string | undefined
}

/**
 * Derives the names that players read and write. An id `apple_bar__minus_00_dot_43_bar_…` is of the kind `apple`. An
 * id with `basin` in it, `sink_bar_…_bar_sinkbasin`, is of the kind `sinkbasin`. The ids of a kind, in order, are
 * numbered downwards, so the last is 1. An id without a location, such as a type, keeps its name.
 * @param ids In lower case: all objects in the facts of the initial state.
 */
export function nameEntities(ids: Iterable<string>): EntityNames {
  const names = new Map<string, string>()
  for (const [kind, members] of Map.groupBy([...new Set(ids)].sort(), kindOf)) {
    for (const [index, id] of members.entries()) {
      names.set(id, kind === null ? id : `${kind} ${members.length - index}`)
    }
  }
  const objects = new Map([...names].map(([id, name]) => [name, id]))
  return { nameOf: (id) => names.get(id) ?? id, objectNamed: (name) => objects.get(name) }
}

function kindOf(id: string): string | null {
  const place = id.indexOf('_bar_')
  if (place < 0) return null
  return id.slice(0, place) + (id.includes('basin') ? 'basin' : '')
}
