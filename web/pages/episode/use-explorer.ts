import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Growth } from '../../../shared/core/contracts/growth.ts'
import type { EpisodeCredit } from '../../../shared/core/contracts/rollout-figures.ts'
import type { Tree, TreeNode } from '../../../shared/core/contracts/tree.ts'
import { type Colouring, creditColouring } from '../../tree/colouring.ts'
import { foldGrowth, nodesOfStep } from '../../tree/fold-growth.ts'
import { indexTree, pathTo } from '../../tree/index-tree.ts'
import { layOutTree } from '../../tree/layout-tree.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import { lastMoment } from '../../tree/tree-moment.ts'
import { valueRange } from '../../tree/value-colour.ts'
import { collapseAllBut, collapsedAtFirst, revealed, toggled } from '../../tree/visible-nodes.ts'
import { useExplorerAddress } from './use-explorer-address.ts'

export function useExplorer(
  tree: Tree,
  growth: Growth | undefined,
  {
    credit,
    models = null,
    isLive,
  }: { credit: EpisodeCredit | undefined; models?: Colouring | null; isLive: boolean },
) {
  const [choice, change] = useExplorerAddress()
  const index = useMemo(() => indexTree(tree), [tree])
  const last = useMemo(() => lastMoment(tree), [tree])
  const range = useMemo(() => valueRange(last.values), [last])
  const colourings = useMemo(() => {
    const found = (['advantage', 'entropy'] as const).map(
      (colour) => credit && creditColouring(colour, credit),
    )
    return [...found, models].filter((colouring) => colouring != null)
  }, [credit, models])
  const colouring = colourings.find(({ colour }) => colour === choice.colour)
  const isMissing = choice.node !== null && choice.node >= tree.nodes.length
  // An ended search opens with its answer; a choice, or none, then replaces that.
  const [hasOwnChoice, setHasOwnChoice] = useState(isLive || choice.node !== null || choice.step !== null)
  const isAnswerAtFirst = !hasOwnChoice && choice.node === null && choice.step === null && tree.best !== 0
  const chosen = isMissing ? null : isAnswerAtFirst ? tree.best : choice.node

  const [folded, setFolded] = useState<ReadonlySet<number>>(() => collapsedAtFirst(index, last))
  // A chosen node is always visible, whichever way it was chosen.
  const collapsed = useMemo(
    () => (chosen === null ? folded : revealed(index, folded, chosen)),
    [index, folded, chosen],
  )
  const layout = useMemo(() => layOutTree(index, collapsed), [index, collapsed])

  const { step } = choice
  const moment = useMemo(
    () => (growth === undefined || step === null ? last : foldGrowth(index, growth, step)),
    [index, growth, step, last],
  )
  const happening = useMemo(
    () => (growth === undefined || step === null ? [] : nodesOfStep(tree, growth, step)),
    [tree, growth, step],
  )
  const find = useDeferredValue(choice.find)
  const hits = useMemo(() => searchNodes(tree, find), [tree, find])
  const scene: MapScene = useMemo(
    () => ({
      index,
      layout,
      moment,
      range,
      mostVisits: last.visits[0] ?? 0,
      collapsed,
      hits: new Set(hits),
      chosen,
      isAnswerAtFirst,
      happening,
      ...(colouring && { colouring }),
    }),
    [index, layout, moment, range, last, collapsed, hits, chosen, isAnswerAtFirst, happening, colouring],
  )

  // Nodes expanded to show a choice stay expanded when the choice changes.
  useEffect(() => setFolded(collapsed), [collapsed])

  const choose = useCallback(
    (node: number | null) => {
      setHasOwnChoice(true)
      change({ node })
    },
    [change],
  )
  const goToHit = useCallback(
    (direction: 1 | -1) => {
      // Enter right after typing searches for the typed text, not the debounced one.
      const found = find === choice.find ? hits : searchNodes(tree, choice.find)
      const hit = nextHit(found, chosen ?? -1, direction)
      if (hit !== null) choose(hit)
    },
    [tree, find, choice.find, hits, chosen, choose],
  )
  const toggle = useCallback(
    (node: number) => {
      setFolded((before) => toggled(before, node))
      // If the chosen node would disappear, choose the collapsed ancestor.
      if (chosen !== null && pathTo(index, chosen).includes(node)) choose(node)
    },
    [index, chosen, choose],
  )

  return {
    choice,
    change,
    colourings,
    scene,
    hits,
    missing: isMissing ? choice.node : null,
    choose,
    toggle,
    goToHit,
    showAll: () => setFolded(new Set()),
    collapseRest: () => setFolded(collapseAllBut(index, moment.best)),
  }
}

export type Explorer = ReturnType<typeof useExplorer>

export function searchNodes({ nodes }: Tree, text: string): number[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return nodes.flatMap((node, index) => (holds(node, wanted) ? [index] : []))
}

export function nextHit(hits: readonly number[], from: number, direction: 1 | -1): number | null {
  if (hits.length === 0) return null
  const found = direction === 1 ? hits.find((hit) => hit > from) : hits.findLast((hit) => hit < from)
  return found ?? (direction === 1 ? hits[0] : hits.at(-1)) ?? null
}

function holds({ action, message, observation }: TreeNode, wanted: string): boolean {
  return (
    includes(action, wanted) ||
    includes(message, wanted) ||
    observation.some((part) => part.type === 'text' && includes(part.text, wanted))
  )
}

function includes(text: string | null, wanted: string): boolean {
  return text?.toLowerCase().includes(wanted) ?? false
}
