import type { Leaderboard, LeaderboardCell } from './leaderboard.ts'

// A rate over a part of the tasks is of another panel than a rate over all, so only whole cells are ranked.
export function isRanked(cell: Pick<LeaderboardCell, 'comparable' | 'unscored_tasks'>): boolean {
  return cell.comparable && cell.unscored_tasks === 0
}

export function isComparableEverywhere(
  { cells, environments }: Pick<Leaderboard, 'cells' | 'environments'>,
  entry: string,
): boolean {
  const own = cells.filter((cell) => cell.entry === entry && cell.comparable)
  return environments.every(({ id }) => own.some(({ environment }) => environment === id))
}
