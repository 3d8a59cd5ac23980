import { isPlaced } from './layout-tree.ts'
import type { MapScene } from './map-scene.ts'

/**
 * The node that a map opens at; null where it is all of the tree: the chosen one. Where the step that is shown does not have that
 * yet, the place where the step is.
 */
export function opensAt(scene: MapScene): number | null {
  return scene.chosen === null || isThere(scene, scene.chosen) ? scene.chosen : placeOfStep(scene)
}

/** What has to come into sight: where the replay is now, and the node that was just chosen. */
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

/** The last node that the step is about, as far as it can be seen; the root where it is about none. */
function placeOfStep({ happening, layout }: MapScene): number {
  return happening.findLast((node) => isPlaced(layout, node)) ?? 0
}
