import { type PointerEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { countOf } from '../../format/count-of.ts'
import { shortText } from '../../format/short-text.ts'
import { showControls } from '../../format/show-controls.ts'
import { modelOf } from '../../tree/colouring.ts'
import { actionOf, nodeAt } from '../../tree/index-tree.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import { type MapView, openMapView } from '../../tree/map-view.ts'
import { markWords, nodeMark } from '../../tree/node-marks.ts'
import { type CameraFollower, MapOverview } from './map-overview.tsx'
import styles from './tree-map.module.css'

export type MapControls = Pick<MapView, 'drawing' | 'fit' | 'zoomBy'>

export function TreeMap({
  scene,
  label,
  controls,
  onChoose,
  onToggle,
  onKey,
  describe,
}: {
  scene: MapScene
  label: string
  controls: RefObject<MapControls | null>
  onChoose: (node: number) => void
  onToggle: (node: number) => void
  onKey: (key: string) => boolean
  describe?: (node: number) => string
}) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<MapView | null>(null)
  const follower = useRef<CameraFollower | null>(null)
  const [tip, setTip] = useState<TipPlace | null>(null)

  useEffect(() => {
    if (frame.current === null || canvas.current === null) return
    const opened = openMapView(frame.current, canvas.current, (camera, size) => {
      setTip(null)
      follower.current?.follow(camera, size)
    })
    view.current = opened
    return () => {
      opened.close()
      view.current = null
    }
  }, [])

  useEffect(() => view.current?.show(scene), [scene])

  useImperativeHandle(controls, () => ({
    drawing: () => view.current?.drawing() ?? null,
    fit: () => view.current?.fit(),
    zoomBy: (factor) => view.current?.zoomBy(factor),
  }))

  function point(event: PointerEvent<HTMLDivElement>) {
    const node = event.buttons === 0 ? (view.current?.nodeAt(event) ?? null) : null
    const { left, top } = event.currentTarget.getBoundingClientRect()
    setTip(node === null ? null : { node, x: event.clientX - left, y: event.clientY - top })
  }

  return (
    <div className={styles.treeMap}>
      <div
        ref={frame}
        role="application"
        aria-label={label}
        tabIndex={0}
        className={styles.mapFrame}
        data-pointing={tip !== null}
        onPointerMove={point}
        onPointerLeave={() => setTip(null)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.altKey || event.metaKey || event.isDefaultPrevented()) return
          if (onKey(event.key)) event.preventDefault()
        }}
        onClick={(event) => {
          const node = view.current?.nodeAt(event) ?? null
          if (node !== null) onChoose(node)
        }}
        onDoubleClick={(event) => {
          const node = view.current?.nodeAt(event) ?? null
          if (node !== null) onToggle(node)
        }}
      >
        <canvas ref={canvas} className={styles.mapCanvas} aria-hidden />
        {tip !== null && <NodeTip scene={scene} place={tip} describe={describe} />}
      </div>
      <MapOverview scene={scene} follower={follower} onGo={(point) => view.current?.goTo(point)} />
    </div>
  )
}

interface TipPlace {
  node: number
  x: number
  y: number
}

function NodeTip({
  scene,
  place: { node, x, y },
  describe,
}: {
  scene: MapScene
  place: TipPlace
  describe: ((node: number) => string) | undefined
}) {
  const { index, moment } = scene
  const stored = nodeAt(index, node)
  const visits = moment.visits[node] ?? 0
  const mark = nodeMark(stored, moment.terminal[node] === 1)
  const model = modelOf(scene.colouring, node)
  if (describe !== undefined) {
    return (
      <div className={styles.nodeTip} style={{ left: x, top: y }} aria-hidden>
        <bdi>{describe(node)}</bdi>
      </div>
    )
  }
  return (
    <div className={styles.nodeTip} style={{ left: x, top: y }} aria-hidden>
      <p>
        <span className={styles.nodeTipIndex}>{node}</span> <bdi>{shortText(actionOf(stored), 200)}</bdi>
      </p>
      <p className={styles.nodeTipFigures}>
        value {visits === 0 ? noNumber : formatNumber(moment.values[node] ?? 0)} · {countOf(visits, 'visit')}
        {stored.reward !== 0 && ` · reward ${formatNumber(stored.reward)}`}
      </p>
      {mark !== null && <p className={styles.nodeTipFigures}>{markWords[mark]}</p>}
      {model !== undefined && <p className={styles.nodeTipFigures}>{showControls(model)}</p>}
    </div>
  )
}
