import type { TrainingBase } from '../../shared/contracts/training.ts'

/** A base by its name: the id of a registered model, the name at a hub, or the folder. */
export function nameBase(base: TrainingBase): string {
  if ('registered' in base) return base.registered
  if ('folder' in base) return base.folder
  return base.revision === undefined ? base.hub : `${base.hub} at ${base.revision}`
}

/** Whether a name is the id of a registered model. */
export function isRegistered(name: string): boolean {
  return /^model-[0-9a-z]{10}-[0-9a-z]{8}$/.test(name)
}

/** Whether a base says which model it is. */
export function isNamed(base: TrainingBase | undefined): boolean {
  return base !== undefined && nameBase(base) !== ''
}
