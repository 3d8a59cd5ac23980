import { isPlaced } from './layout-tree.ts'
import type { MapScene } from './map-scene.ts'

/**
 * The node that a map opens at; null means the whole tree. If the shown step does not have the chosen node yet, the
 * map opens at the step's node.
 */
export function opensAt(scene: MapScene): number | null {
  return scene.chosen === null || isThere(scene, scene.chosen) ? scene.chosen : placeOfStep(scene)
}

/** The nodes to bring into view: the replay's current node and a newly chosen node. */
export function newlyShown(before: MapScene, scene: MapScene): number[] {
  const { chosen, happening } = scene
  if (chosen !== null && !isThere(scene, chosen)) {
    return before.chosen === chosen && before.moment === scene.moment ? [] : [placeOfStep(scene)]
  }
  const last = before.happening === happening ? undefined : happening.at(-1)
  return [
    ...(last === undefined ? [] : [last]),
    ...(chosen === null || chosen === before.chosen ? [] : [chosen]),
  ].filter((node) => isPlaced(scene.layout, node))
}

function isThere({ moment }: MapScene, node: number): boolean {
  return node < moment.count
}

/** The last visible node of the step, or the root if the step names none. */
function placeOfStep({ happening, layout }: MapScene): number {
  return happening.findLast((node) => isPlaced(layout, node)) ?? 0
}
