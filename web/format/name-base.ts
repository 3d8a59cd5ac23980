import type { TrainingBase } from '../../shared/core/contracts/training.ts'

export function nameBase(base: TrainingBase): string {
  if ('registered' in base) return base.registered
  if ('folder' in base) return base.folder
  return base.revision === undefined ? base.hub : `${base.hub} at ${base.revision}`
}

export function isRegistered(name: string): boolean {
  return /^model-[0-9a-z]{10}-[0-9a-z]{8}$/.test(name)
}

export function isNamed(base: TrainingBase | undefined): boolean {
  return base !== undefined && nameBase(base) !== ''
}
