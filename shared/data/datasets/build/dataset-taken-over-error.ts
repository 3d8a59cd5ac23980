import { EspalierError } from '../../../core/contracts/errors.ts'

export class DatasetTakenOverError extends EspalierError {
  constructor(dataset: string) {
    super('conflict', `Another worker builds the dataset "${dataset}" now.`)
  }
}
