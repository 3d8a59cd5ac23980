import type { DatasetRequest, PictureChoice } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { datasetFormats, findFormat } from '../formats/formats.ts'
import type { DatasetKind } from './kind.ts'

const mostLooked = 16

/**
 * The form of pictures, if the request chooses one, or if an episode of its runs showed some.
 *
 * @param showsPictures - whether prompts of a run showed pictures, by its first episodes
 * @returns undefined if no checked episode showed any
 * @throws EspalierError `invalid_request` if rows are to show pictures and the kind or the format does not support
 * them
 */
export async function choosePictures(
  kind: DatasetKind,
  request: DatasetRequest,
  showsPictures: (run: string) => Promise<boolean>,
): Promise<PictureChoice | undefined> {
  const choice = request.pictures ?? ((await someShow(request.runs, showsPictures)) ? 'show' : undefined)
  if (choice === 'show') checkPlace(kind, request)
  return choice
}

async function someShow(
  runs: readonly string[],
  showsPictures: (run: string) => Promise<boolean>,
): Promise<boolean> {
  const shown = await Promise.all(runs.slice(0, mostLooked).map(showsPictures))
  return shown.includes(true)
}

function checkPlace({ id, showsPictures = true }: DatasetKind, { format }: DatasetRequest): void {
  const fitting = datasetFormats.filter(({ pictures }) => pictures?.kinds.includes(id)).map((each) => each.id)
  if (showsPictures && findFormat(format).pictures?.kinds.includes(id)) return
  const leaveOut = 'leave pictures out: "pictures": "leave_out"'
  const message =
    showsPictures && fitting.length > 0
      ? `The rows of these runs show pictures, and the format "${format}" has no place for them in rows of the kind "${id}". Choose one of: ${fitting.join(', ')}; or ${leaveOut}.`
      : `Rows of the kind "${id}" are texts alone, and these runs show pictures. Choose another kind, or ${leaveOut}.`
  throw new EspalierError('invalid_request', message, { param: showsPictures ? 'format' : 'kind' })
}
