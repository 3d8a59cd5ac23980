export interface SourceChoice {
  id: string
  name: string | null
  created_at: string | null
  about: string
  /** The reason it has no data yet; null if it is ready. */
  unready: string | null
}

export function searchChoices(
  choices: readonly SourceChoice[],
  chosen: readonly string[],
  search: string,
): SourceChoice[] {
  const words = search.toLowerCase().split(/\s+/)
  const known = new Set(choices.map(({ id }) => id))
  const unknown = chosen
    .filter((id) => !known.has(id))
    .map(
      (id): SourceChoice => ({
        id,
        name: null,
        created_at: null,
        about: 'not among the newest',
        unready: null,
      }),
    )
  const own = choices.filter(({ id }) => chosen.includes(id))
  const others = choices.filter(
    ({ about, id, name }) =>
      !chosen.includes(id) &&
      words.every((word) => `${id} ${name ?? ''} ${about}`.toLowerCase().includes(word)),
  )
  return [...unknown, ...own, ...others]
}
