import { type RefObject, useCallback } from 'react'
import { usePageKeys } from '../../service/use-page-keys.ts'
import { childrenOf, nodeAt } from '../../tree/index-tree.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import type { MapControls } from './tree-map.tsx'
import type { Explorer } from './use-explorer.ts'

interface ExplorerParts {
  root: RefObject<HTMLElement | null>
  panel: RefObject<HTMLElement | null>
  field: RefObject<HTMLInputElement | null>
  controls: RefObject<MapControls | null>
}

/**
 * Registers the explorer's keys.
 *
 * @param lastStep - the number of growth steps; 0 until known
 * @returns the map's own key handler, which returns true if it handled the key
 */
export function useExplorerKeys(
  { choice, scene, choose, toggle, goToHit, change }: Explorer,
  { root, panel, field, controls }: ExplorerParts,
  { lastStep, onHelp }: { lastStep: number; onHelp: () => void },
): (key: string) => boolean {
  const act = useCallback(
    (key: MapKey | null): boolean => {
      const { chosen, moment } = scene
      if (key === null) return false
      if ('move' in key) choose(chosen === null ? 0 : moveFrom(scene, chosen, key.move))
      else if ('zoom' in key) controls.current?.zoomBy(key.zoom)
      else if ('hit' in key) goToHit(key.hit)
      else if ('step' in key) {
        if (lastStep === 0) return true
        const next = Math.max(0, (choice.step ?? lastStep) + key.step)
        change({ step: next >= lastStep ? null : next })
      } else if ('go' in key) {
        if (key.go === 'panel') panel.current?.focus()
        else choose(key.go === 'root' ? 0 : moment.best)
      } else if (key.do === 'fit') controls.current?.fit()
      else if (key.do === 'toggle') toggle(chosen ?? 0)
      else if (key.do === 'find') field.current?.focus()
      else if (key.do === 'keys') onHelp()
      else choose(null)
      return true
    },
    [scene, choice.step, lastStep, choose, toggle, goToHit, change, onHelp, panel, field, controls],
  )
  usePageOrExplorerKeys(root, act)
  return useCallback((key: string) => act(mapKey(key)), [act])
}

const sideways: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight'])

/** The keys need no click: they also work while nothing on the page has the focus. */
function usePageOrExplorerKeys(
  root: RefObject<HTMLElement | null>,
  act: (key: MapKey | null) => boolean,
): void {
  usePageKeys((key, target) => {
    if (root.current?.contains(target)) return act(explorerKey(key))
    if (target !== document.body && target.id !== 'page') return false
    return act(explorerKey(key) ?? (sideways.has(key) ? mapKey(key) : null))
  })
}

type MapKey =
  | { move: Direction }
  | { go: 'root' | 'answer' | 'panel' }
  | { zoom: number }
  | { hit: 1 | -1 }
  | { step: 1 | -1 }
  | { do: 'fit' | 'toggle' | 'find' | 'keys' | 'close' }

const anywhere: Record<string, MapKey> = {
  b: { go: 'answer' },
  f: { do: 'fit' },
  '+': { zoom: 1.3 },
  '=': { zoom: 1.3 },
  '-': { zoom: 1 / 1.3 },
  n: { hit: 1 },
  N: { hit: -1 },
  ',': { step: -1 },
  '.': { step: 1 },
  '/': { do: 'find' },
  '?': { do: 'keys' },
  Escape: { do: 'close' },
}

const onMap: Record<string, MapKey> = {
  ArrowLeft: { move: 'parent' },
  ArrowRight: { move: 'child' },
  ArrowUp: { move: 'previous' },
  ArrowDown: { move: 'next' },
  Home: { go: 'root' },
  Enter: { go: 'panel' },
  ' ': { do: 'toggle' },
}

export function explorerKey(key: string): MapKey | null {
  return Object.hasOwn(anywhere, key) ? (anywhere[key] ?? null) : null
}

export function mapKey(key: string): MapKey | null {
  return Object.hasOwn(onMap, key) ? (onMap[key] ?? null) : null
}

type Direction = 'parent' | 'child' | 'previous' | 'next'

export function moveFrom(
  { index, layout, moment }: Pick<MapScene, 'index' | 'layout' | 'moment'>,
  node: number,
  direction: Direction,
): number {
  const { parent, depth } = nodeAt(index, node)
  if (direction === 'parent') return parent ?? node
  if (direction === 'child') {
    const visits = (each: number) => moment.visits[each] ?? 0
    return childrenOf(index, node)
      .filter((child) => child < moment.count)
      .reduce((best, child) => (best === node || visits(child) > visits(best) ? child : best), node)
  }
  const height = (each: number) => layout.y[each] ?? 0
  const level = layout.nodes
    .filter((each) => each < moment.count && nodeAt(index, each).depth === depth)
    .toSorted((above, below) => height(above) - height(below))
  return level[level.indexOf(node) + (direction === 'next' ? 1 : -1)] ?? node
}
