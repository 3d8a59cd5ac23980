import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useSearchParams } from 'react-router'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { provenanceNotice } from '../../../shared/core/contracts/provenance.ts'
import { LinkButton } from '../../components/button.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { compareEpisodesAddress, episodeAddress, graphAddress, runAddress } from '../../format/addresses.ts'
import { asksSimulated } from '../../format/asks-simulated.ts'
import { runName } from '../../format/run-name.ts'
import { shortText } from '../../format/short-text.ts'
import { useEndpoints } from '../../service/catalogue.ts'
import { runQuery } from '../../service/run-query.ts'
import { episodeWord } from '../run/episodes/episode-word.ts'
import { EpisodeFigures } from './episode-figures.tsx'
import styles from './episode-page.module.css'
import { neighbours } from './neighbours.ts'

export function EpisodeHead({ episode }: { episode: Episode }) {
  const { id, run, task, epoch, purpose } = episode
  const played = useQuery(runQuery(run))
  const endpoints = useEndpoints().data ?? []
  const { environment, method, model } = played.data?.request ?? {}
  const { previous, next } = neighbours(id, played.data?.episodes.total)
  const isSimulated = played.data !== undefined && asksSimulated(played.data, endpoints)
  const [params] = useSearchParams()
  // Keep the view for the next tree, but not the node.
  const view = params.get('view')
  const kept = view === null ? '' : `?view=${encodeURIComponent(view)}`
  return (
    <>
      <PageHeader
        title={<bdi>{shortText(task, 200)}</bdi>}
        tab={`${shortText(task, 60)} · ${id}`}
        way={[
          { to: '/runs', name: 'Runs' },
          { to: runAddress(run), name: shortText(played.data ? runName(played.data) : run, 80) },
        ]}
        lead={
          <span className={styles.episodeLead}>
            <StatusBadge status={episodeWord(episode, played.data?.status === 'paused')} />
            <span>{id}</span>
            {epoch > 0 && <span>epoch {epoch + 1}</span>}
            {purpose !== 'play' && <span>{purpose === 'learn' ? 'learning episode' : 'annotation'}</span>}
            {method !== undefined && (
              <span>
                {method.id} on <bdi>{shortText(environment ?? '', 80)}</bdi> ·{' '}
                <bdi>{shortText(`${model?.endpoint}/${model?.id}`, 160)}</bdi>
              </span>
            )}
            {played.data !== undefined && (
              <span title={provenanceNotice(played.data.provenance)}>
                data: {played.data.provenance.origin}
              </span>
            )}
            {isSimulated && (
              <span className={styles.episodeSimulated}>
                simulated model: its numbers prove plumbing, not quality
              </span>
            )}
          </span>
        }
        actions={
          <>
            {purpose === 'play' && (
              <LinkButton to={compareEpisodesAddress({ left: { run, episode: id }, right: null })}>
                Compare with…
              </LinkButton>
            )}
            {purpose === 'play' && (played.data?.request.epochs ?? 1) > 1 && (
              <LinkButton to={graphAddress([run], task)}>Merge with its other epochs</LinkButton>
            )}
            {previous !== null && (
              <LinkButton to={episodeAddress(run, previous) + kept}>
                <ChevronLeft size={16} aria-hidden /> Previous
              </LinkButton>
            )}
            {next !== null && (
              <LinkButton to={episodeAddress(run, next) + kept}>
                Next <ChevronRight size={16} aria-hidden />
              </LinkButton>
            )}
          </>
        }
      />
      <EpisodeFigures episode={episode} />
    </>
  )
}
