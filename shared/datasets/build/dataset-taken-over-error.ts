import { EspalierError } from '../../contracts/errors.ts'

/** Another builder has claimed the dataset, so this one's work no longer counts. */
export class DatasetTakenOverError extends EspalierError {
  constructor(dataset: string) {
    super('conflict', `Another worker builds the dataset "${dataset}" now.`)
  }
}
