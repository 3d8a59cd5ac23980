import { EspalierError } from '../../contracts/errors.ts'

/** Another builder has claimed the dataset: what this one does counts no more. */
export class DatasetTakenOverError extends EspalierError {
  constructor(dataset: string) {
    super('conflict', `Another worker builds the dataset "${dataset}" now.`)
  }
}
