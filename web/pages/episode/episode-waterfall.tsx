import { useQuery } from '@tanstack/react-query'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import type { Waterfall } from '../../../shared/core/contracts/waterfall.ts'
import { PlotNumbers } from '../../charts/plot-numbers.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Table } from '../../components/table.tsx'
import { DrawingButtons } from '../../drawings/drawing-buttons.tsx'
import { countOf } from '../../format/count-of.ts'
import { formatSeconds } from '../../format/format-seconds.ts'
import { api } from '../../service/api.ts'
import { describeSpan, kindWords, laneName, spanKinds, spanLength } from '../../waterfall/span-words.ts'
import styles from '../../waterfall/waterfall.module.css'
import { WaterfallChart, type WaterfallControls } from '../../waterfall/waterfall-chart.tsx'
import { kindColours } from '../../waterfall/waterfall-palette.ts'
import { treeInterval } from './is-live.ts'

export function EpisodeWaterfall({
  place: { run, episode },
  tree,
  isLive,
  onNode,
}: {
  place: { run: string; episode: string }
  tree: Tree
  isLive: boolean
  onNode: (node: number) => void
}) {
  const query = useQuery({
    queryKey: ['waterfall', run, episode, isLive ? 'live' : tree.nodes.length],
    queryFn: () => api.waterfall(run, episode),
    refetchInterval: isLive && treeInterval(tree.nodes.length),
  })
  return (
    <Loaded what="the waterfall" query={query}>
      {(found) =>
        found.spans.length === 0 ? (
          <EmptyState title="Nothing yet">The waterfall appears with the first commit.</EmptyState>
        ) : (
          <WaterfallParts waterfall={found} tree={tree} onNode={onNode} />
        )
      }
    </Loaded>
  )
}

function WaterfallParts({
  waterfall,
  tree,
  onNode,
}: {
  waterfall: Waterfall
  tree: Tree
  onNode: (node: number) => void
}) {
  const [wanted, setChosen] = useState<number | null>(null)
  const chosen = wanted !== null && wanted < waterfall.spans.length ? wanted : null
  const controls = useRef<WaterfallControls | null>(null)
  const { commits, lanes, seconds, slowest, spans, untimed_commits, workers, working_seconds } = waterfall
  const names = useMemo(() => lanes.map((lane) => laneName(lane, tree)), [lanes, tree])
  const nodeOf = (span: number) => spans[span]?.node ?? null
  function open(span: number) {
    const node = nodeOf(span)
    if (node !== null && node < tree.nodes.length) onNode(node)
  }
  return (
    <div className={styles.waterfall}>
      <div className={styles.waterfallBar}>
        <span>
          {formatSeconds(seconds)}, {formatSeconds(working_seconds)} of them work;{' '}
          {countOf(commits, 'commit')} of {countOf(workers, 'worker')}
        </span>
        <span className={styles.waterfallTools}>
          <DrawingButtons
            title={`waterfall of ${tree.task}`}
            draw={() => controls.current?.drawing() ?? null}
          />
          <IconButton label="Zoom out (−)" onClick={() => controls.current?.zoomBy(1 / 1.5)}>
            <ZoomOut size={18} aria-hidden />
          </IconButton>
          <IconButton label="Zoom in (+)" onClick={() => controls.current?.zoomBy(1.5)}>
            <ZoomIn size={18} aria-hidden />
          </IconButton>
          <IconButton label="Fit the whole time (f)" onClick={() => controls.current?.fit()}>
            <Maximize size={18} aria-hidden />
          </IconButton>
        </span>
      </div>
      {untimed_commits > 0 && (
        <Notice>
          {untimed_commits === commits
            ? 'An older version played this episode.'
            : `An older version made ${untimed_commits} of its ${commits} commits.`}{' '}
          Its journal has the moment of each commit, not the times of single calls and steps. A pale bar
          covers all the time in which its call can have run.
        </Notice>
      )}
      <WaterfallChart
        waterfall={waterfall}
        names={names}
        label={`Waterfall with ${countOf(spans.length, 'span')}. Arrow keys go from span to span and from lane to lane, plus and minus zoom, f shows the whole, Enter opens the node.`}
        chosen={chosen}
        controls={controls}
        onChoose={setChosen}
        onOpen={open}
      />
      <p className={styles.waterfallStatus} aria-live="polite">
        {chosen === null
          ? 'Drag to move, turn the wheel to zoom. Choose a bar to read it; Enter opens its node.'
          : describeSpan(waterfall, chosen)}
      </p>
      <ul className={styles.waterfallLegend} aria-label="Legend of the waterfall">
        {spanKinds
          .filter((kind) => spans.some((span) => span.kind === kind))
          .map((kind) => (
            <li key={kind}>
              <span className={styles.waterfallKey} style={{ background: kindColours[kind] }} aria-hidden />
              {kindWords[kind]}
            </li>
          ))}
      </ul>
      {slowest.length > 0 && (
        <>
          <h3 className="visually-hidden">The slowest</h3>
          <ol className={styles.waterfallSlowest} aria-label="The slowest calls and steps">
            {slowest.map((at, rank) => {
              const span = spans[at]
              return (
                span !== undefined && (
                  <li key={`${span.key} ${span.kind}`}>
                    <button
                      type="button"
                      onClick={() => {
                        setChosen(at)
                        open(at)
                      }}
                    >
                      {rank + 1}. {spanLength(span)} {span.key}
                    </button>
                  </li>
                )
              )
            })}
          </ol>
        </>
      )}
      <PlotNumbers>
        <SumsTable waterfall={waterfall} />
      </PlotNumbers>
    </div>
  )
}

function SumsTable({ waterfall: { spans, sums } }: { waterfall: Waterfall }) {
  return (
    <Table label="Time by its use">
      <thead>
        <tr>
          <th scope="col">Use</th>
          <th scope="col" className="number">
            Spans
          </th>
          <th scope="col" className="number">
            Seconds of the exact ones, side by side counted one by one
          </th>
        </tr>
      </thead>
      <tbody>
        {spanKinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">{kindWords[kind]}</th>
            <td className="number">{spans.filter((span) => span.kind === kind).length}</td>
            <td className="number">{sums[kind].toFixed(3)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
