/** A source, such as a run or a dataset, as it is offered. */
export interface SourceChoice {
  id: string
  name: string | null
  /** Null where nothing is known of it but its id. */
  created_at: string | null
  /** What it is of, in a line. */
  about: string
  /** Why it has nothing to give yet; null where it has. */
  unready: string | null
}

/** Those of which every word of the search is said somewhere, the chosen ones always and first. */
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
