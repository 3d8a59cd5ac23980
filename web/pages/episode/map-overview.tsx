import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Camera, Size } from '../../tree/camera.ts'
import { overviewSize, paintOverview, seenPart } from '../../tree/map-overview.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import { type Palette, readPalette } from '../../tree/palette.ts'
import { watchTheme } from '../../tree/watch-theme.ts'
import styles from './tree-map.module.css'

export interface CameraFollower {
  follow: (camera: Camera, frame: Size) => void
}

export function MapOverview({
  scene,
  follower,
  onGo,
}: {
  scene: MapScene
  follower: RefObject<CameraFollower | null>
  onGo: (point: { x: number; y: number }) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const mark = useRef<HTMLDivElement>(null)
  const last = useRef<{ camera: Camera; frame: Size } | null>(null)
  const [palette, setPalette] = useState<Palette | null>(null)

  useEffect(() => {
    const read = () => setPalette(box.current && readPalette(box.current))
    read()
    return watchTheme(read)
  }, [])

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || palette === null) return
    const density = Math.min(2, devicePixelRatio)
    context.setTransform(density, 0, 0, density, 0, 0)
    paintOverview(context, scene, palette)
  }, [scene, palette])

  function place(layout: MapScene['layout']) {
    if (last.current === null || mark.current === null || box.current === null) return
    const part = seenPart(layout, last.current.camera, last.current.frame)
    box.current.hidden = part === null
    if (part === null) return
    Object.assign(mark.current.style, {
      left: `${part.left}px`,
      top: `${part.top}px`,
      width: `${part.width}px`,
      height: `${part.height}px`,
    })
  }

  useEffect(() => place(scene.layout))
  useImperativeHandle(follower, () => ({
    follow(camera, frame) {
      last.current = { camera, frame }
      place(scene.layout)
    },
  }))

  const density = Math.min(2, devicePixelRatio)
  return (
    <div
      ref={box}
      hidden
      aria-hidden
      className={styles.mapOverview}
      style={overviewSize}
      onPointerDown={(event) => {
        event.stopPropagation()
        const { left, top } = event.currentTarget.getBoundingClientRect()
        onGo({ x: event.clientX - left, y: event.clientY - top })
      }}
    >
      <canvas
        ref={canvas}
        width={overviewSize.width * density}
        height={overviewSize.height * density}
        style={overviewSize}
      />
      <div ref={mark} className={styles.mapOverviewMark} />
    </div>
  )
}
