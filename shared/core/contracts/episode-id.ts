/** Positions sort like their ids, so that lists can be paged by id. */
export function episodeId(index: number): string {
  return `ep-${String(index).padStart(7, '0')}`
}

export function episodeIndex(id: string): number | null {
  const match = /^ep-(\d{7,})$/.exec(id)
  return match ? Number(match[1]) : null
}
