import type { ApiClient } from '../shared/core/client/api-client.ts'
import type { Episode } from '../shared/core/contracts/episode.ts'
import type { Tree } from '../shared/core/contracts/tree.ts'

const goodSize = 24

export interface SolvedTree {
  episode: Episode
  tree: Tree
}

export async function findSmallSolvedTree(
  client: Pick<ApiClient, 'episodes' | 'tree'>,
  run: string,
): Promise<SolvedTree | null> {
  const { data } = await client.episodes(run, { status: 'succeeded', limit: 100 })
  const distance = (episode: Episode) => Math.abs((episode.result?.nodes ?? 0) - goodSize)
  const [episode] = data.toSorted((left, right) => distance(left) - distance(right))
  return episode === undefined ? null : { episode, tree: await client.tree(run, episode.id) }
}
