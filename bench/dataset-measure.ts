import type { DatasetRequestInput } from '../shared/contracts/dataset.ts'
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
  /** From the start of the build until its manifest is stored. */
  seconds: number
  processorSeconds: number
  /** Peak resident memory of the process, in MB. */
  peak: number
  /** Seconds for only reading the same trees and packing the same rows. */
  bareSeconds: number
  bytes: number
  textBytes: number
}
