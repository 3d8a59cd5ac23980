import type { PictureChoice } from '../../../core/contracts/dataset.ts'
import type { DatasetRow, RowMessage } from '../../../core/contracts/dataset-row.ts'
import type { Picture } from '../../../core/contracts/picture.ts'
import { countPictures, withoutPictures } from '../../../play/search/newest-pictures.ts'
import type { FoundRow } from '../kind.ts'

export function settlePictures(found: FoundRow, choice: PictureChoice | undefined): FoundRow {
  if (choice !== 'leave_out') return { ...found, left_out_pictures: 0 }
  const before = found.left_out_pictures ?? 0
  const shown = countPictures(messagesOf(found.row))
  const row = shown === 0 ? found.row : asTexts(found.row)
  return { ...found, row, left_out_pictures: before + shown }
}

export function rowPictures(row: DatasetRow): Picture[] {
  return messagesOf(row).flatMap(({ pictures = [] }) => pictures)
}

export function messagesOf(row: DatasetRow): readonly RowMessage[] {
  switch (row.type) {
    case 'conversation':
      return row.messages
    case 'preference':
      return [...row.prompt, ...row.chosen, ...row.rejected]
    case 'unpaired':
      return [...row.prompt, ...row.completion]
    case 'process':
    case 'prompt':
      return row.prompt
    case 'rollout':
    case 'rollout-tree':
      return []
  }
}

function asTexts(row: DatasetRow): DatasetRow {
  switch (row.type) {
    case 'conversation':
      return { ...row, messages: row.messages.map(withoutPictures) }
    case 'preference': {
      const { prompt, chosen, rejected } = row
      const sides = { chosen: chosen.map(withoutPictures), rejected: rejected.map(withoutPictures) }
      return { ...row, prompt: prompt.map(withoutPictures), ...sides }
    }
    case 'unpaired': {
      const { prompt, completion } = row
      return { ...row, prompt: prompt.map(withoutPictures), completion: completion.map(withoutPictures) }
    }
    case 'process':
    case 'prompt':
      return { ...row, prompt: row.prompt.map(withoutPictures) }
    case 'rollout':
    case 'rollout-tree':
      return row
  }
}
