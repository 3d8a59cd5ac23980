import type { DatasetRequestInput } from '../shared/core/contracts/dataset.ts'
import type { PlayedTemplate } from './stamped-runs.ts'

export interface MeasuredBuild {
  folder: string
  request: DatasetRequestInput
  templates: PlayedTemplate[]
  episodes: number
  attempts: number
}

export interface BuildMeasure {
  rows: number
  seconds: number
  processorSeconds: number
  peak: number
  bareSeconds: number
  bytes: number
  textBytes: number
}
