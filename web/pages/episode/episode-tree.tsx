import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { isMissing } from '../../service/refusal.ts'
import { hasBegun, isLive } from './is-live.ts'
import { TreeExplorer } from './tree-explorer.tsx'
import { useIsPaused } from './use-episode.ts'
import { useEpisodeTree } from './use-episode-tree.ts'

export function EpisodeTree({ episode }: { episode: Episode }) {
  const { tree, growth } = useEpisodeTree(episode)
  const isPaused = useIsPaused(episode.run)
  if (!hasBegun(episode) || (tree.data === undefined && isMissing(tree.error))) {
    const { title, text } = whyNoTree(episode)
    return <EmptyState title={title}>{text}</EmptyState>
  }
  return (
    <Loaded what="the tree" query={tree}>
      {(data) => (
        <TreeExplorer
          run={episode.run}
          episode={episode.id}
          tree={data}
          growth={growth}
          isLive={isLive(episode) && !isPaused}
        />
      )}
    </Loaded>
  )
}

function whyNoTree({ purpose, status }: Episode): { title: string; text: string } {
  if (purpose === 'annotate') {
    return { title: 'No tree of its own', text: 'It asks about another episode. Only that one has a tree.' }
  }
  if (status === 'queued') {
    return {
      title: 'Nothing yet',
      text: 'No worker has taken this episode up. Its tree appears here as it grows; where its run is paused, it waits until that is resumed.',
    }
  }
  if (status === 'running') {
    return {
      title: 'Nothing yet',
      text: 'The episode has just begun. Its tree appears here with its first node.',
    }
  }
  return {
    title: 'This episode left no tree',
    text: 'It ended before its first node: nothing was played.',
  }
}
