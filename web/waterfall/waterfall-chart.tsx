import {
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Waterfall } from '../../shared/core/contracts/waterfall.ts'
import { useWidth } from '../charts/use-width.ts'
import type { Drawing } from '../drawings/drawing.ts'
import { plainColour } from '../drawings/plain-colour.ts'
import { SvgContext } from '../tree/svg-context.ts'
import { watchTheme } from '../tree/watch-theme.ts'
import {
  legendHeight,
  paintWaterfall,
  type WaterfallPalette,
  type WaterfallScene,
} from './paint-waterfall.ts'
import { describeSpan } from './span-words.ts'
import styles from './waterfall.module.css'
import {
  firstTimeView,
  layOutWaterfall,
  panTime,
  showSpan,
  spanAtPoint,
  spanBeside,
  type TimeView,
  timeAt,
  wholeTime,
  zoomTime,
} from './waterfall-layout.ts'
import { readWaterfallPalette } from './waterfall-palette.ts'

export interface WaterfallControls {
  drawing(): Drawing | null
  fit(): void
  zoomBy(factor: number): void
}

const moves: Record<string, Parameters<typeof spanBeside>[3]> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
}

const zooms: Record<string, number> = { '+': 1.5, '=': 1.5, '-': 1 / 1.5 }

export function WaterfallChart({
  waterfall,
  names,
  label,
  chosen,
  controls,
  onChoose,
  onOpen,
}: {
  waterfall: Waterfall
  names: readonly string[]
  label: string
  chosen: number | null
  controls: RefObject<WaterfallControls | null>
  onChoose: (span: number | null) => void
  onOpen: (span: number) => void
}) {
  const { element, width } = useWidth<HTMLDivElement>(800)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [palette, setPalette] = useState<WaterfallPalette | null>(null)
  const [view, setView] = useState<TimeView>(() => firstTimeView(waterfall))
  const [tip, setTip] = useState<{ span: number; x: number; y: number } | null>(null)
  const layout = useMemo(() => layOutWaterfall(waterfall), [waterfall])
  const frame = useMemo(() => ({ width, left: width < 560 ? 84 : 150, right: 8 }), [width])
  const scene: WaterfallScene = useMemo(
    () => ({ waterfall, layout, names, view, frame, chosen }),
    [waterfall, layout, names, view, frame, chosen],
  )
  const { seconds } = waterfall

  useEffect(() => {
    const read = () => setPalette(element.current && readWaterfallPalette(element.current))
    read()
    return watchTheme(read)
  }, [element])

  useEffect(() => {
    const span = chosen === null ? undefined : waterfall.spans[chosen]
    if (span !== undefined) setView((before) => showSpan(before, span, seconds))
  }, [chosen, waterfall, seconds])

  useEffect(() => {
    const wish = requestAnimationFrame(() => {
      const drawn = canvas.current
      const context = drawn?.getContext('2d')
      if (!drawn || !context || palette === null) return
      const density = Math.min(2, devicePixelRatio)
      drawn.width = Math.round(width * density)
      drawn.height = Math.round(layout.height * density)
      context.setTransform(density, 0, 0, density, 0, 0)
      paintWaterfall(context, palette, scene)
      // Tests and benchmarks wait for this attribute.
      drawn.dataset.painted = String(waterfall.spans.length)
    })
    return () => cancelAnimationFrame(wish)
  }, [scene, palette, width, layout, waterfall])

  const place = useCallback(
    (event: { clientX: number; clientY: number }) => {
      const { left = 0, top = 0 } = element.current?.getBoundingClientRect() ?? {}
      return { x: event.clientX - left, y: event.clientY - top }
    },
    [element],
  )

  useEffect(() => {
    const listened = element.current
    if (listened === null) return
    // React listens passively, and a passive listener cannot keep the page from scrolling.
    const zoom = (event: WheelEvent) => {
      event.preventDefault()
      const { x } = place(event)
      setView((before) => zoomTime(before, 2 ** (-event.deltaY / 400), timeAt(x, before, frame), seconds))
    }
    listened.addEventListener('wheel', zoom, { passive: false })
    return () => listened.removeEventListener('wheel', zoom)
  }, [element, frame, place, seconds])

  useImperativeHandle(controls, () => ({
    drawing: () => drawingOf(canvas.current, palette, scene),
    fit: () => setView(wholeTime(waterfall)),
    zoomBy: (factor) => setView((before) => zoomTime(before, factor, (before.from + before.to) / 2, seconds)),
  }))

  const drag = useDrag((by) => {
    setTip(null)
    setView((before) =>
      panTime(before, (-by * (before.to - before.from)) / Math.max(1, width - frame.left), seconds),
    )
  })
  const at = (event: ReactPointerEvent) => spanAtPoint(waterfall, layout, place(event), { view, frame })

  function pressKey(key: string): boolean {
    const move = Object.hasOwn(moves, key) ? moves[key] : undefined
    const zoom = Object.hasOwn(zooms, key) ? zooms[key] : undefined
    if (move !== undefined) onChoose(spanBeside(waterfall, layout, chosen, move))
    else if (zoom !== undefined) controls.current?.zoomBy(zoom)
    else if (key === 'f') controls.current?.fit()
    else if (key === 'Enter' && chosen !== null) onOpen(chosen)
    else if (key === 'Escape' && chosen !== null) onChoose(null)
    else return false
    return true
  }

  return (
    <div
      ref={element}
      role="application"
      aria-label={label}
      tabIndex={0}
      className={styles.waterfallFrame}
      style={{ height: layout.height }}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.isDefaultPrevented()) return
        if (pressKey(event.key)) event.preventDefault()
      }}
      onPointerDown={drag.down}
      onPointerMove={(event) => {
        if (drag.move(event)) return
        const span = at(event)
        setTip(span === null ? null : { span, ...place(event) })
      }}
      onPointerUp={(event) => {
        if (!drag.up()) onChoose(at(event))
      }}
      onPointerCancel={() => drag.up()}
      onPointerLeave={() => setTip(null)}
    >
      <canvas
        ref={canvas}
        className={styles.waterfallCanvas}
        style={{ width, height: layout.height }}
        aria-hidden
      />
      {tip !== null && (
        <p
          className={styles.waterfallTip}
          style={{ left: Math.min(tip.x, width - 200), top: tip.y }}
          aria-hidden
        >
          {describeSpan(waterfall, tip.span)}
        </p>
      )}
    </div>
  )
}

const still = 3

function useDrag(onDrag: (pixels: number) => void) {
  const last = useRef<number | null>(null)
  const moved = useRef(0)
  return {
    down(event: ReactPointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      last.current = event.clientX
      moved.current = 0
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    move(event: ReactPointerEvent): boolean {
      if (last.current === null) return false
      const by = event.clientX - last.current
      last.current = event.clientX
      moved.current += Math.abs(by)
      if (moved.current > still) onDrag(by)
      return moved.current > still
    },
    up(): boolean {
      const wasDrag = last.current === null || moved.current > still
      last.current = null
      return wasDrag
    },
  }
}

function drawingOf(
  canvas: HTMLCanvasElement | null,
  palette: WaterfallPalette | null,
  scene: WaterfallScene,
): Drawing | null {
  const measuring = canvas?.getContext('2d')
  if (!measuring || palette === null) return null
  const context = new SvgContext((text, font) => {
    measuring.font = font
    return measuring.measureText(text)
  })
  const { font, kinds, ...colours } = palette
  const plain = (named: Record<string, string>) =>
    Object.fromEntries(Object.entries(named).map(([name, colour]) => [name, plainColour(colour)]))
  const saved = { ...plain(colours), kinds: plain(kinds), font } as unknown as WaterfallPalette
  paintWaterfall(context, saved, scene, true)
  const size = { width: Math.round(scene.frame.width), height: scene.layout.height + legendHeight }
  return context.drawing(size, saved.surface)
}
